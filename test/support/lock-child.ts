/**
 * A process that takes a lock: FILE COUNT. In each turn it makes a folder that only one may make, and removes it again.
 * With a COUNT of 0 it takes the lock, says so and holds it until it is killed.
 */

import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { withLock } from '../../src/history/lock.ts';

const [file = '', count = '1'] = process.argv.slice(2);
if (count === '0')
  await withLock(file, () => {
    process.stdout.write('held\n');
    return new Promise(() => setInterval(() => undefined, 60_000));
  });
for (let turn = 0; turn < Number(count); turn += 1)
  await withLock(file, async () => {
    await mkdir(`${file}.alone`);
    await writeFile(file, String(Number(await readFile(file, 'utf8')) + 1));
    await rmdir(`${file}.alone`);
  });
