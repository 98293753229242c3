import type { CommandEntry } from './command.ts';

const SKILLS = {
  list: {
    summary: 'every skill of the library, one a line',
    load: () => import('./commands/skills-list.ts'),
  },
  show: {
    summary: 'one skill in full, as it is or as it was at a version',
    load: () => import('./commands/skills-show.ts'),
  },
  search: { summary: 'find skills for a task', load: () => import('./commands/skills-search.ts') },
  catalog: {
    summary: 'the text that a model sees at the start, with its tokens',
    load: () => import('./commands/skills-catalog.ts'),
  },
  graph: {
    summary: 'how the skills stand to each other, as text, data or a picture',
    load: () => import('./commands/skills-graph.ts'),
  },
  stats: {
    summary: 'what each skill costs and how it is used, near-duplicates and dead weight',
    load: () => import('./commands/skills-stats.ts'),
  },
  forget: {
    summary: 'drop what was learned from use',
    load: () => import('./commands/skills-forget.ts'),
  },
  log: { summary: 'the revisions of a skill', load: () => import('./commands/skills-log.ts') },
  diff: { summary: 'what changed between two versions', load: () => import('./commands/skills-diff.ts') },
  blame: {
    summary: 'each line with the version and the turns that taught it',
    load: () => import('./commands/skills-blame.ts'),
  },
  rollback: {
    summary: 'make a skill what it was at an earlier version',
    load: () => import('./commands/skills-rollback.ts'),
  },
  bisect: {
    summary: 'find the version with which a command began to fail',
    load: () => import('./commands/skills-bisect.ts'),
  },
  adopt: { summary: 'let knack change a skill of yours', load: () => import('./commands/skills-adopt.ts') },
  own: { summary: 'make a skill yours to change', load: () => import('./commands/skills-own.ts') },
  retire: { summary: 'take a skill out of the library', load: () => import('./commands/skills-retire.ts') },
  restore: { summary: 'bring a retired skill back', load: () => import('./commands/skills-restore.ts') },
  revoke: {
    summary: 'take back all that one session taught',
    load: () => import('./commands/skills-revoke.ts'),
  },
  add: {
    summary: 'bring in skills from a folder or a git repository',
    load: () => import('./commands/skills-add.ts'),
  },
  update: {
    summary: 'take up what changed where skills were brought in from',
    load: () => import('./commands/skills-update.ts'),
  },
  export: {
    summary: 'write skills as folders that any agent reads',
    load: () => import('./commands/skills-export.ts'),
  },
  link: {
    summary: 'make skills visible to agents that read .claude/skills and the like',
    load: () => import('./commands/skills-link.ts'),
  },
  validate: {
    summary: 'check skills against the format',
    load: () => import('./commands/skills-validate.ts'),
  },
  test: { summary: 'run the tests of callable skills', load: () => import('./commands/skills-test.ts') },
  pending: { summary: 'changes that wait for you', load: () => import('./commands/skills-pending.ts') },
  approve: { summary: 'commit a waiting change', load: () => import('./commands/skills-approve.ts') },
  reject: { summary: 'drop a waiting change', load: () => import('./commands/skills-reject.ts') },
} satisfies Record<string, CommandEntry>;

/** Every command, in the order of the help text. Adding one is a file in `commands/` and a line here. */
export const COMMANDS = {
  demo: { summary: 'watch the whole loop on a recorded session', load: () => import('./commands/demo.ts') },
  chat: {
    summary: 'talk with the assistant; sessions are reviewed when they end',
    load: () => import('./commands/chat.ts'),
  },
  run: { summary: 'give the assistant one task', load: () => import('./commands/run.ts') },
  review: {
    summary: 'learn from transcripts, or from the sessions not yet reviewed',
    load: () => import('./commands/review.ts'),
  },
  reviews: {
    summary: 'how the last reviews ended, and why',
    load: () => import('./commands/reviews.ts'),
  },
  gate: {
    summary: 'check a skill folder as a change of the library',
    load: () => import('./commands/gate.ts'),
  },
  skills: { summary: 'the library and its history', load: () => SKILLS },
  transcript: {
    summary: 'what an importer sees in a transcript',
    load: () => import('./commands/transcript.ts'),
  },
  trust: {
    summary: 'see what a checkout brings for agents, and let it be used',
    load: () => import('./commands/trust.ts'),
  },
  init: { summary: 'make a workspace', load: () => import('./commands/init.ts') },
  stats: {
    summary: 'what learning has cost and brought',
    load: () => import('./commands/stats.ts'),
  },
  doctor: { summary: 'check the set-up and the library', load: () => import('./commands/doctor.ts') },
} satisfies Record<string, CommandEntry>;
