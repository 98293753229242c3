/** One shape of a secret or of personal data. Patterns run in one linear pass: bounded repeats, anchored starts. */
export interface SecretRule {
  readonly rule: string;
  /** Global; the named group `secret`, else the whole match, is what is taken out. */
  readonly pattern: RegExp;
  /** Text (lower case) that must be there at all; a cheap way to skip most values. */
  readonly hints: readonly string[];
  /** A last look at what matched; `before` is the match up to the secret. */
  readonly accepts?: (secret: string, before: string) => boolean;
}
