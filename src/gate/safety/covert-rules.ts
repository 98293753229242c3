import type { PhraseRule } from './phrase-scan.ts';

const rule = (
  name: string,
  severity: PhraseRule['severity'],
  message: string,
  pattern: RegExp,
  more: Partial<PhraseRule> = {},
): PhraseRule => ({ rule: name, severity, message, pattern, negation: 'adjacent', ...more });

const SECRETS =
  '(?:(?<![\\w.])\\.env\\b(?!\\.(?:example|sample|template))(?: files?)?|\\.aws/credentials|\\.netrc|\\.npmrc|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub)|\\b(?:api|access|private|ssh|secret) ?(?:keys?|tokens?)\\b|\\bcredentials\\b|\\bpasswords?\\b|\\bsecrets\\b|\\benvironment variables\\b)';
const SHOWN_PLACE =
  '(?:pull requests?|merge requests?|PRs?\\b|issues?\\b|commit messages?|comments?\\b|gists?\\b|release notes|changelog|readme|wiki|pastebin|slack|discord|teams channel|channel\\b|ticket\\b|(?:public|shared) (?:page|document|file|folder|repo\\w*|bucket))';
const MEMORY =
  '(?:(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)(?:\\.local)?\\.md|\\.cursorrules|\\.windsurfrules|copilot-instructions(?:\\.md)?|(?:global|user|permanent|long-term) (?:memory|instructions|settings))';
const YIELDS =
  '(?:obey|accept|comply|execute|run|trust|approve|allow|ignore|disregard|skip|never (?:ask|question|refuse|warn))';
/** Words in capitals that stand for what is to be filled in. */
const FILLED_IN =
  '(?:[A-Z0-9]+_)*(?:CONVERSATION|CHAT|HISTORY|CONTEXT|SUMMARY|PROMPT|MESSAGES?|ANSWER|QUESTION|SECRETS?|DATA|ENV|ENCODED|CONTENTS?|INPUT|USERNAME|EMAIL|PASSWORD|PASTE|TRANSCRIPT|MEMORY|FILES?)(?:_[A-Z0-9]+)*';

/** Wording that carries data off in plain sight, lets a stranger's page speak and plants orders for later sessions. */
export const COVERT_RULES: readonly PhraseRule[] = [
  rule(
    'injected-instruction',
    'refuse',
    'it hands the reader over to a page that anyone can change',
    /\bhttps?:\/\/[^\s"'`<>]{1,200}[^!?\n]{0,80}?\b(?:do|follow|obey|execute|run|perform|carry out|act on|comply with)\b (?:exactly |precisely )?(?:what(?:ever)?|everything|anything|all)\b(?: (?:that|which|of))?(?: (?:it|they|that|this|the (?:page|file|text|answer|document|response|content)))? (?:says?|tells?|asks?|instructs?|orders?|contains?|demands?|commands?|wants?|is written|stands)\b/gi,
  ),
  rule(
    'exfiltration',
    'refuse',
    'whoever shows the picture sends what its address is filled with',
    new RegExp(
      `!\\[[^\\]\\n]{0,200}\\]\\(\\s?<?https?://[^)\\s]{0,300}?[?&][\\w.-]{1,40}=${FILLED_IN}(?=[)&\\s>])|<img\\b[^<>\\n]{0,200}?\\bsrc ?= ?["']?https?://[^"'\\s<>]{0,300}?[?&][\\w.-]{1,40}=(?:\\$?\\{|\\[[A-Za-z]|${FILLED_IN}(?=["'&\\s>]))`,
      'g',
    ),
  ),
  rule(
    'exfiltration',
    'ask',
    'a picture from elsewhere in every answer tells its host of each',
    /\b(?:end|begin|start|finish|close|append|add|put|include|place|insert)\b[^.!?\n]{0,60}?\b(?:each|every|all)(?: of)?(?: your| the)? (?:answers?|repl(?:y|ies)|responses?|messages?|outputs?)\b[^!?\n]{0,60}?!\[[^\]\n]{0,100}\]\(\s?<?https?:\/\//gi,
  ),
  rule(
    'exfiltration',
    'ask',
    'it puts secrets where others read them',
    new RegExp(
      `${SECRETS}[^!?\\n]{0,80}?\\b(?:put|paste|write|include|add|append|post|publish|copy|quote|insert|attach|list|show|print|place|mention)\\b (?:(?:it|its|them|their|the|all|those|these|each|every)\\b ?)?[^.!?\\n]{0,60}?\\b(?:in|into|to|on|as|under|at)\\b[^.!?\\n]{0,40}?\\b${SHOWN_PLACE}`,
      'gi',
    ),
    {
      negation: 'sentence',
      accepts: (match) =>
        /\b(?:read|open|cat|take|get|copy|collect|put|paste|value|content|them|it|its|all)/i.test(match) &&
        !/\b(?:never|not|n't|without|no|remove|redact|mask|instead|unless|avoid|forbid|leak\w*|expos\w+|scan\w*|check\w*)\b/i.test(
          match,
        ),
    },
  ),
  rule(
    'exfiltration',
    'ask',
    'it puts secrets where others read them',
    new RegExp(
      `\\b(?:put|paste|write|include|add|append|post|publish|copy|quote|insert|attach)\\b (?:the |all )?(?:values?|contents?|text) (?:of|from|in) [^.!?\\n]{0,30}?${SECRETS}[^.!?\\n]{0,40}?\\b(?:in|into|to|on|as|under)\\b[^.!?\\n]{0,40}?\\b${SHOWN_PLACE}`,
      'gi',
    ),
    { negation: 'sentence' },
  ),
  rule(
    'persistence',
    'ask',
    'it plants orders for later sessions',
    new RegExp(
      `\\b(?:write|add|append|put|insert|record|save|store|note|place|remember)\\b[^!?\\n]{0,60}?\\b${MEMORY}[^!?\\n]{0,40}?\\b(?:that|saying|so that|:|to)\\b[^!?\\n]{0,40}?\\b(?:(?:all|every|each|any|future|later|next|new|coming|following)\\b ?){1,3}(?:sessions?|conversations?|agents?|assistants?|chats?)\\b[^.!?\\n]{0,60}?\\b${YIELDS}\\b`,
      'gi',
    ),
  ),
  rule(
    'persistence',
    'ask',
    'it plants orders for later sessions',
    /(?:\becho|\bprintf|\bcat)\b[^\n]{0,300}?(?:>>|\btee -a )\s?["']?(?:~|\$\{?HOME\}?)\/\.(?:claude|codex|gemini|cursor|config\/opencode)\/[\w./-]{0,60}?(?:\.md|rules|settings[\w.]{0,12}\.json|config\.toml)\b/gi,
    { negation: 'sentence' },
  ),
];
