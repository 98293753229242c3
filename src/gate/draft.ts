/** Where a rule comes from: `quote` must stand verbatim in the event's text. */
export interface Evidence {
  readonly session: string;
  readonly event: string;
  readonly quote: string;
}

export type Claim = 'procedure' | 'negative' | 'preference' | 'fact';

/**
 * One bounded change. `file` is relative to the skill's folder. `anchor` is an exact, unique piece of the file:
 * `replace` puts `text` in its place, `insert_after` puts `text` on the lines after the anchor's last line,
 * `delete` removes it. `write_file` makes a new file (never replaces one, but in a `create`). `set` sets one
 * front matter field, named by `anchor` (`description`, `metadata.tags`, …), to `text`.
 */
export interface DraftOperation {
  readonly op: 'replace' | 'insert_after' | 'delete' | 'write_file' | 'set';
  readonly skill: string;
  readonly file: string;
  readonly anchor?: string;
  readonly text?: string;
  readonly claim?: Claim;
  readonly evidence: readonly Evidence[];
}

/** A proposed change, `draft.json` (DESIGN 7). In a merge the first skill absorbs and `retires` names the other. */
export interface Draft {
  readonly decision: 'nothing' | 'create' | 'patch' | 'merge' | 'retire';
  readonly lesson: string;
  readonly skill?: string;
  readonly retires?: string;
  /** How much it changes (DESIGN 11): wording or detail, a new capability, a reversed or removed rule. */
  readonly change?: 'patch' | 'minor' | 'major';
  readonly operations: readonly DraftOperation[];
  readonly triggers: readonly { readonly query: string; readonly should_trigger: boolean }[];
}
