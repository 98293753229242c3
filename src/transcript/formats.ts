import type { FormatId, TranscriptFormat } from './format.ts';
import { claudeCodeFormat } from './formats/claude-code.ts';
import { codexFormat } from './formats/codex.ts';
import { knackFormat } from './formats/knack.ts';
import { openaiChatFormat } from './formats/openai-chat.ts';
import { piFormat } from './formats/pi.ts';
import { sweAgentFormat } from './formats/swe-agent.ts';

/** Every format that can be read. A new one is a file in `formats/` and a line here. */
export const FORMATS = {
  knack: knackFormat,
  pi: piFormat,
  'claude-code': claudeCodeFormat,
  codex: codexFormat,
  'swe-agent': sweAgentFormat,
  'openai-chat': openaiChatFormat,
} satisfies Record<FormatId, TranscriptFormat>;
