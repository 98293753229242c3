export { type Config, type Environment, readEnvironment } from './config.ts';
export { type ErrorCode, KnackError, type Problem } from './errors.ts';
export type { GateResult } from './gate/gate.ts';
export type { History } from './history/history.ts';
export type { Library, SearchHit } from './library/library.ts';
export type { ReviewOutcome } from './review/outcome.ts';
export { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
export type { Skill } from './skill/skill.ts';
export type { Transcript, TranscriptEvent } from './transcript/event.ts';
