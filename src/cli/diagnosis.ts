/** One thing that was looked at. `fault`: knack cannot do its work until the remedy is done. */
export interface Diagnosis {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'fault';
  readonly message: string;
  readonly remedy?: string;
  /** Set where the exit code says it too, though knack works: whoever runs `doctor` unattended has to look. */
  readonly needsLook?: true;
  /** What the message counts, a line each. */
  readonly details?: readonly string[];
}
