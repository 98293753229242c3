/**
 * A process that commits to a skill until it is killed, or a given number of times: ROOT SKILL COUNT. Each commit adds
 * a line, every other one a file; a change that moved underneath is decided anew.
 */

import { join } from 'node:path';
import { readFolder, textFile, withFile } from '../../src/files/folder.ts';
import { createHistory } from '../../src/history/history.ts';

const [root = '', skill = '', count = '1'] = process.argv.slice(2);
const history = createHistory({ root, environment: { home: root, path: process.env['PATH'] ?? '' } });
for (let done = 0; done < Number(count); ) {
  const base = await readFolder(join(root, skill)).catch(() => undefined);
  const version = await history.nextVersion(skill, 'minor');
  const lines = Array.from(
    { length: 1 + (base === undefined ? 0 : Number(version.split('.')[1])) },
    (_, index) => `- rule ${index}`,
  );
  const text = `---\nname: ${skill}\ndescription: "Does a thing. Use when testing."\nmetadata:\n  version: "${version}"\n---\n\n${lines.join('\n')}\n`;
  let target = withFile(base ?? new Map(), 'SKILL.md', textFile(text));
  target = withFile(target, 'scripts/run.sh', textFile(`#!/bin/sh\n# ${version}\n`, true));
  if (lines.length % 2 === 0)
    target = withFile(target, `references/${version}.md`, textFile(`# What ${version} adds\n`));
  const outcome = await history.commit({
    skill,
    base,
    target,
    to: version,
    what: `add rule ${version}`,
    why: 'it was found',
    actor: 'reviewer',
    sessions: [],
    operations: [],
  });
  if (outcome.kind === 'committed') {
    done += 1;
    process.stdout.write('committed\n');
  } else if (outcome.kind !== 'moved' && outcome.kind !== 'dirty') throw new Error(JSON.stringify(outcome));
}
