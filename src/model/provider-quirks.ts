/** How one provider differs, as far as it is known beforehand; what a server refuses is learned as it does. */
export interface ProviderQuirks {
  /** Name under which opaque fields of its answers are kept and replayed. */
  readonly provider: string;
  /** Fields of an assistant message to hand back to the same provider. */
  readonly echoes: readonly string[];
  /** What stands for the text of an assistant message that only calls tools. */
  readonly emptyContent: '' | null;
  /** The name of the limit on completion tokens. */
  readonly maxTokens: 'max_tokens' | 'max_completion_tokens';
  /** Which setting a cut prompt points to. */
  readonly contextSetting: string;
}

const DEFAULT: Omit<ProviderQuirks, 'provider'> = {
  echoes: [],
  emptyContent: '',
  maxTokens: 'max_tokens',
  contextSetting: 'the server’s context size',
};

const TABLE: readonly (readonly [pattern: RegExp, quirks: Partial<ProviderQuirks>])[] = [
  [/\/\/api\.openai\.com\b/, { provider: 'openai', emptyContent: null, maxTokens: 'max_completion_tokens' }],
  [/\/\/openrouter\.ai\b/, { provider: 'openrouter', echoes: ['reasoning_details'] }],
  [/\/\/api\.deepseek\.com\b/, { provider: 'deepseek', echoes: ['reasoning_content'] }],
  [/:11434\b/, { provider: 'ollama', contextSetting: 'OLLAMA_CONTEXT_LENGTH (or num_ctx in the Modelfile)' }],
  [
    /:1234\b/,
    { provider: 'lm-studio', contextSetting: 'the context length of the loaded model in LM Studio' },
  ],
  [
    /:8080\b/,
    { provider: 'llama-cpp', echoes: ['reasoning_content'], contextSetting: 'llama-server --ctx-size' },
  ],
];

/** The quirks of the provider behind a base URL. One that is not in the table is named by its host. */
export function quirksOf(baseUrl: string): ProviderQuirks {
  const found = TABLE.find(([pattern]) => pattern.test(baseUrl));
  return { provider: new URL(baseUrl).host, ...DEFAULT, ...found?.[1] };
}
