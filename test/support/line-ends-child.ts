/** A process that commits a new skill `csv` of CRLF lines into ROOT. */

import { createHistory } from '../../src/history/history.ts';
import { changeOf, csv } from './history-lab.ts';

const [root = ''] = process.argv.slice(2);
const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
await history.commit(changeOf(undefined, csv('1.0.0', '- one\r\n- two\r'), '1.0.0'));
