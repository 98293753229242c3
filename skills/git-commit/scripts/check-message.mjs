#!/usr/bin/env node
// Parameters come as JSON on standard input; the answer is JSON on standard output.
import { readFileSync } from 'node:fs';

const LONGEST_SUBJECT = 72;
const CONVENTIONAL = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^()]+\))?!?: (.*)$/s;

const { message, style = 'plain' } = JSON.parse(readFileSync(0, 'utf8'));
const lines = message.replace(/\s+$/, '').split('\n');
const subject = lines[0] ?? '';
const prefix = CONVENTIONAL.exec(subject);
const words = style === 'conventional' ? (prefix?.[3] ?? '') : subject;
const faults = [];

if (subject.trim() === '') faults.push('the first line is empty: begin with the subject');
if (style === 'conventional' && prefix === null) faults.push('the subject has no prefix: begin with a type such as "fix: " or "feat(parser): "');
if (subject.length > LONGEST_SUBJECT) faults.push(`the subject has ${subject.length} characters: shorten it to ${LONGEST_SUBJECT} and move detail into the body`);
if (/\.$/.test(subject)) faults.push('the subject ends in a full stop: remove it');
if (/^(wip|fixup!|squash!|tmp|misc|stuff|changes?|updates?)\b[\s:!.]*$/i.test(words.trim())) faults.push(`"${words.trim()}" says nothing: name what changes and for whom`);
const first = words.trim().split(/\s+/)[0] ?? '';
const mended = imperative(first);
if (mended !== undefined) faults.push(`"${first}" is not in the imperative mood: write "${mended}"`);
if (lines.length > 1 && lines[1].trim() !== '') faults.push('the second line is not blank: put an empty line between subject and body');

const answer =
  faults.length === 0
    ? { status: 'success', data: { subject, length: subject.length } }
    : { status: 'error', error_type: 'invalid_params', message: faults.join('; ') };
process.stdout.write(`${JSON.stringify(answer)}\n`);

/** The imperative of the verbs that commit subjects begin with in another form, else undefined. */
function imperative(word) {
  const verbs = ['add', 'allow', 'change', 'create', 'delete', 'fix', 'implement', 'improve', 'introduce', 'move', 'refactor', 'refuse', 'remove', 'rename', 'replace', 'update', 'use'];
  const lower = word.toLowerCase();
  const verb = verbs.find((each) => lower !== each && forms(each).includes(lower));
  if (verb === undefined) return undefined;
  return word[0] === word[0].toUpperCase() ? verb[0].toUpperCase() + verb.slice(1) : verb;
}

function forms(verb) {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb;
  const third = /(?:x|s|sh|ch)$/.test(verb) ? `${verb}es` : `${verb}s`;
  return [third, `${stem}ed`, `${stem}ing`];
}
