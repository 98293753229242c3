import type { Severity } from '../check.ts';
import type { Sign } from './signs.ts';
import type { WordClass } from './words/word-class.ts';

/** One class or sign, or several of which one is enough, separated by `|`. */
export type Part = WordClass | Sign | `${WordClass | Sign}|${string}`;

/** Classes that make an attack where they stand together. */
export interface Combination {
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** The first is the act: a negation before it makes advice of it. Of each class the nearest counts. */
  readonly parts: readonly Part[];
  /** How many words may stand between the first part and each other; in order, between a part and the one before. */
  readonly within: number;
  /** Over how many sentences it may stretch. @default 1 */
  readonly sentences?: number;
  /** Whether the parts must follow one another. @default false */
  readonly inOrder?: boolean;
  /** Whether they must stand in one clause. @default false */
  readonly unbroken?: boolean;
  /** None where one of these stands in the same sentences. */
  readonly unless?: readonly Part[];
}

type Shape = Omit<Combination, 'rule' | 'severity' | 'message'>;

const of =
  (severity: Severity, rule: string, message: string) =>
  (...shapes: readonly Shape[]): Combination[] =>
    shapes.map((shape) => ({ rule, severity, message, ...shape }));

const sends = of('refuse', 'exfiltration', 'it sends secrets away');
const sendsTalk = of(
  'ask',
  'exfiltration',
  'it sends what was said, or what only looks like an address, to somebody elsewhere',
);
const runs = of('ask', 'download-and-run', 'it runs what it has just fetched or decoded, unseen');
const handsOver = of(
  'ask',
  'injected-instruction',
  'it hands the reader over to a page that anyone can change',
);
const hides = of('ask', 'hides-from-user', 'a skill must not keep the user from seeing what is done');
const speaksToJudge = of('ask', 'injected-instruction', 'it speaks to whoever judges the skill');
const outranks = of('refuse', 'injected-instruction', 'a skill must not set itself above other instructions');
const plants = of('ask', 'persistence', 'it plants orders or programs for later sessions');
const poses = of('ask', 'injected-instruction', 'it poses as somebody who may give orders');
const mines = of('ask', 'crypto-mining', 'it uses the machine for somebody else');
const unguards = of('ask', 'disables-safeguard', 'what protects the user is switched off');

const ADDRESS = 'url|mail|ip';
const OUTSIDE = 'url|mail|ip|open-place';
const SECRET = 'secret|secret-file|secret-name';

/** The list of what must not stand together, in any language whose words are known. */
export const COMBINATIONS: readonly Combination[] = [
  ...sends(
    { parts: ['send', SECRET, ADDRESS], within: 10, inOrder: true, unless: ['login'] },
    { parts: [SECRET, 'send', ADDRESS], within: 18, sentences: 3, inOrder: true, unless: ['login'] },
    { parts: [SECRET, ADDRESS, 'send-last'], within: 12, inOrder: true, unless: ['login'] },
    { parts: ['send', ADDRESS, 'secret-file|secret-name'], within: 8, inOrder: true, unless: ['login'] },
  ),
  ...sendsTalk(
    {
      parts: ['send', 'secret-file|secret-name', OUTSIDE],
      within: 10,
      inOrder: true,
      unless: ['consent', 'login'],
    },
    { parts: ['send', 'talk', ADDRESS], within: 14 },
    { parts: ['secret-file', ADDRESS], within: 8, unless: ['login', 'consent'] },
    { parts: ['each-answer|always', 'fetch|send', 'url', 'talk'], within: 14 },
    { parts: ['encoded', 'secret|talk', 'url|carrier'], within: 12 },
    { parts: ['send', 'secret', 'carrier', 'talk'], within: 16 },
    { parts: ['each-answer', 'picture|filled-image', 'url'], within: 20 },
    { parts: ['picture', 'talk|secret', 'url'], within: 20 },
    { parts: ['filled-name', `encoded|talk|${SECRET}`], within: 12 },
    { parts: ['asked-name'], within: 0 },
  ),
  ...runs(
    { parts: ['fetch', 'program-url', 'run'], within: 25, sentences: 3, inOrder: true },
    { parts: ['program-url', 'fetch', 'run'], within: 25, sentences: 3, inOrder: true },
    { parts: ['fetch', 'url', 'run', 'unseen'], within: 25, sentences: 2 },
    { parts: ['fetch', 'script', 'run', 'as-root'], within: 10, sentences: 3, inOrder: true },
    { parts: ['decode', 'encoded', 'run', 'shell'], within: 20, sentences: 2 },
  ),
  ...handsOver(
    { parts: ['url', 'dictate', 'obey|run'], within: 10, sentences: 2 },
    { parts: ['url', 'obey', 'everything'], within: 8, inOrder: true },
    { parts: ['program-url', 'dictate'], within: 20, sentences: 3 },
    { parts: ['outrank|outranks-last', 'url', 'rule'], within: 20 },
    { parts: ['run|obey', 'dictate', 'unseen'], within: 12 },
  ),
  ...hides(
    { parts: ['not', 'tell', 'user'], within: 4, inOrder: true, unbroken: true, unless: ['remember-to'] },
    { parts: ['not', 'user', 'tell'], within: 3, inOrder: true, unbroken: true },
    { parts: ['user', 'not', 'notice'], within: 3, inOrder: true, unbroken: true },
    { parts: ['user', 'tell', 'not-last'], within: 2, inOrder: true, unbroken: true },
    { parts: ['untold', 'user|it|report'], within: 5 },
    { parts: ['secretly', 'run|send|erase|fetch|write|it'], within: 4 },
    { parts: ['erase', 'shell-history'], within: 4 },
    { parts: ['erase', 'log', 'afterwards|untold'], within: 10 },
    { parts: ['lie'], within: 0 },
  ),
  ...speaksToJudge(
    {
      parts: ['addressed', 'judge', 'approve', 'answer-as-told|unreviewed|already'],
      within: 16,
      sentences: 2,
    },
    { parts: ['this', 'already', 'unreviewed|approve'], within: 14, sentences: 2 },
    { parts: ['judge', 'unreviewed', 'this|already'], within: 12 },
    { parts: ['judge|evaluate', 'approve', 'this', 'answer-as-told|addressed|you|unreviewed'], within: 8 },
    { parts: ['answer-as-told', 'this', 'approve'], within: 3, unbroken: true },
    { parts: ['evaluate', 'already', 'unreviewed'], within: 14 },
  ),
  ...outranks(
    { parts: ['ignore', 'earlier|your', 'rule'], within: 4, unbroken: true },
    { parts: ['this', 'outrank', 'user|rule'], within: 8, inOrder: true },
    { parts: ['this', 'user|rule', 'outranks-last'], within: 12, inOrder: true },
    { parts: ['void', 'earlier|user|your|authority', 'rule|talk'], within: 5 },
    { parts: ['user', 'object', 'go-on'], within: 6, inOrder: true },
    { parts: ['only', 'this', 'obey|rule'], within: 2, inOrder: true, unbroken: true },
    { parts: ['obey|rule', 'only', 'this'], within: 2, inOrder: true, unbroken: true },
    { parts: ['this', 'only', 'obey'], within: 1, inOrder: true, unbroken: true },
    { parts: ['you', 'unbound'], within: 8, inOrder: true },
  ),
  ...plants(
    { parts: ['write', 'shell-start', 'always'], within: 16 },
    { parts: ['write', 'memory-file', 'this', 'always'], within: 16 },
    { parts: ['write', 'memory-file', 'always', 'unasked|unreviewed|grant|obey'], within: 16 },
    { parts: ['write', 'startup', 'fetch|url', 'run|url'], within: 14 },
    { parts: ['this', 'memory-file', 'write', 'always'], within: 14 },
    { parts: ['write', 'memory', 'unasked|unreviewed'], within: 20 },
    { parts: ['write', 'key-file', 'public-key-text|always'], within: 16 },
  ),
  ...of(
    'ask',
    'destroys-data',
    'it destroys what the user would miss',
  )(
    { parts: ['erase', 'property'], within: 4, inOrder: true, unbroken: true, unless: ['consent'] },
    { parts: ['property', 'erase-last'], within: 5, inOrder: true, unless: ['consent'] },
  ),
  ...poses(
    { parts: ['message', 'authority', 'grant|unasked'], within: 10, sentences: 2, inOrder: true },
    { parts: ['authority', 'message', 'grant|unasked'], within: 6, sentences: 2, inOrder: true },
    { parts: ['message', 'authority', 'void', 'rule'], within: 12, sentences: 2 },
    { parts: ['mode', 'grant', 'everything|unasked|guard|rule'], within: 8, sentences: 2 },
    { parts: ['grant', 'everything', 'unasked'], within: 8 },
  ),
  ...of(
    'ask',
    'payment-redirect',
    'it leads payments to another account',
  )({
    parts: ['replace', 'money', 'account|mail'],
    within: 16,
  }),
  ...of(
    'ask',
    'untrusted-index',
    'whoever keeps that index decides what is installed',
  )(
    { parts: ['mirror', 'plain-url', 'replace|run|fetch|write'], within: 12 },
    { parts: ['write|replace', 'mirror', 'strange-url'], within: 6 },
  ),
  ...mines(
    { parts: ['run|obey|fetch', 'miner'], within: 6 },
    { parts: ['run', 'pool'], within: 12 },
    { parts: ['mine'], within: 0 },
  ),
  ...unguards(
    { parts: ['disable', 'guard'], within: 3, unbroken: true, unless: ['narrow'] },
    { parts: ['run', 'everything', 'unasked'], within: 12 },
  ),
];
