import type { PhraseRule } from './phrase-scan.ts';

const takeover = (message: string, pattern: RegExp, more: Partial<PhraseRule> = {}): PhraseRule => ({
  rule: 'injected-instruction',
  severity: 'refuse',
  message,
  pattern,
  negation: 'adjacent',
  ...more,
});

/** With `ask` where honest skills come near. */
const unguarded = (message: string, pattern: RegExp): PhraseRule => ({
  rule: 'disables-safeguard',
  severity: 'ask',
  message,
  pattern,
  negation: 'sentence',
});

const sends = (pattern: RegExp, severity: PhraseRule['severity']): PhraseRule => ({
  rule: 'exfiltration',
  severity,
  message: 'it sends secrets away',
  pattern,
  negation: 'sentence',
});

const SECRETS =
  '(?:(?:api|access|private|ssh|secret) ?(?:keys?|tokens?)|credentials?|passwords?|secrets|environment variables?|env vars?|\\.env files?|session cookies?)';
const WORK = '(?:skill|file|document|text|change|draft|proposal|revision|diff)';
const CHECKER = '(?:gate|judges?|reviewers?|scanners?|validators?|(?:safety|security) checks?)';
const MACHINE_JUDGE =
  '(?:(?:AI|LLM|automated?|automatic|language[- ]model|machine) (?:code )?(?:reviewers?|judges?|evaluators?|graders?|auditors?|checkers?|scanners?)|(?:model|AI|LLM|agent|assistant)s? (?:that|who|which) (?:is |are )?(?:judg|review|evaluat|grad|audit|check|scann)\\w*)';

/** Wording that hands the reader over to somebody else, talks to whoever judges, or gives away what a person decides. */
export const TAKEOVER_RULES: readonly PhraseRule[] = [
  takeover(
    'a skill must not set itself above other instructions',
    /\b(?:your (?:(?:system|safety|earlier|original) )?(?:prompt|rules|guidelines|instructions|restrictions|policies)|(?:rules|instructions|guidelines|restrictions) (?:in|of|from) (?:your|the) system prompt|(?:all|any) (?:safety |content )?(?:policies|restrictions|safety rules|guardrails))\b(?: \w+){0,2}? (?:(?:is|are|have been|has been) (?:now )?(?:outdated|obsolete|void|invalid|suspended|lifted|revoked|cancel+ed|superseded|no longer)|no longer (?:appl|count|hold|bind|matter|valid))/gi,
  ),
  takeover(
    'it hands the reader over to a page that anyone can change',
    /\b(?:from now on|henceforth|at the (?:start|beginning) of (?:each|every)|before (?:anything|everything)(?: else)?|(?:each|every) session)\b[^!?\n]{0,80}?\b(?:obey|follow|execute|carry out|take (?:your )?orders|do (?:as|what))\b[^!?\n]{0,100}?https?:\/\/|\bobey\b[^!?\n]{0,60}?\bhttps?:\/\/|\bhttps?:\/\/\S{1,200}[^!?\n]{0,80}?\b(?:obey (?:it|them|what)|(?:carry out|execute|follow|do) (?:it|them|whatever|everything|(?:all |the |any )?instructions)\b[^.!?\n]{0,60}?(?:without (?:question|asking|hesitat)|whatever (?:it|they) say)|(?:treat|use|take) (?:it|its|them|the (?:text|content|page|answer))\b[^.!?\n]{0,30}? as (?:your|the) (?:new )?(?:system prompt|instructions|orders))/gi,
  ),
  takeover(
    'it poses as a message of the system',
    /(?<![\w/.$-])(?:SYSTEM|OPERATOR|ADMIN(?:ISTRATOR)?)(?: (?:message|notice|update|note))? ?: ?(?:new (?:policy|policies|rules?|instructions?|directive)|the (?:assistant|model|AI|agent|user has)|you (?:are|must|may|can|will|have)|all (?:policies|rules|safety|restrictions)|policy|from now|(?:developer|debug|admin) mode)/gi,
    { accepts: (match) => /^[A-Z]{4}/.test(match) },
  ),
  takeover(
    'it speaks to whoever judges the skill',
    new RegExp(
      `\\b${MACHINE_JUDGE}\\b[^!?\\n]{0,80}?\\b(?:(?:mark|rate|score|classify|grade|consider|regard|accept|approve|pass)\\b[^.!?\\n]{0,20}?\\b(?:this|the) ${WORK}|(?:mark|rate|score|classify|grade|treat) (?:it|this)\\b[^.!?\\n]{0,20}? (?:approved|safe|pass\\w*|harmless|compliant|trusted)|answer (?:pass|yes|safe))`,
      'gi',
    ),
  ),
  takeover(
    'it speaks to whoever judges the skill',
    new RegExp(
      `\\b(?:to|for) the (?:${CHECKER}|evaluator|grader)\\b ?[:,][^!?\\n]{0,120}?\\b(?:verdict|approved?|pass|safe|accept(?:ed)?|all criteria|no (?:findings|problems|issues))\\b|\\byour verdict (?:must|has to|should|is to|can only) be (?:pass|yes|safe|approv)`,
      'gi',
    ),
  ),
  takeover(
    'it tells the reader to pass over what a check finds',
    new RegExp(
      `\\b(?:whatever|anything|everything|any(?:thing)? that|all that|if) (?:that )?(?:the |a |any )?${CHECKER}(?: \\w+){0,2}? (?:finds?|says?|reports?|complains?|objects?|flags?|refuses?|warns?)\\b[^.!?\\n]{0,50}?\\b(?:override|overrule|ignore|disregard|dismiss|let (?:it|the ${WORK}|this) (?:through|pass))`,
      'gi',
    ),
  ),
  takeover(
    'it writes itself into what every later session is told',
    /\b(?:save|store|write|add|append|copy|put|keep|remember)\b (?:this|these|the following) (?:instructions?|rules?|lines?|text|sentences?|orders?)\b[^!?\n]{0,100}?\b(?:memory|[\w./-]+\.md|system prompts?)\b[^!?\n]{0,80}?\b(?:all|every|any|each|future|later) (?:\w+ ){0,2}?(?:conversations?|sessions?|chats?)\b|\bnever (?:question|doubt|refuse|challenge|contradict) (?:(?:this|the|any|a) )?(?:skills?|skill files?|these instructions)\b/gi,
    { severity: 'ask' },
  ),
  unguarded(
    'a sandbox that is off protects nobody',
    /\b(?:disabl(?:e|ing)|deactivat(?:e|ing)|bypass(?:ing)?|circumvent(?:ing)?|escap(?:e|ing) from|switch(?:ing)? off|turn(?:ing)? off) (?:the |your |its |this |any )?(?:agent(?:'s)? |approval |command )?sandbox(?:ing)?\b|\b(?:turn|switch) (?:the |your )?sandbox(?:ing)? off\b/gi,
  ),
  unguarded(
    'what a person must allow is theirs to allow',
    /\b(?:skip|bypass|disable|circumvent|suppress|deactivate|avoid) (?:the |all |any |every |your )*(?:user |tool |command |permission )?(?:approvals?|confirmations?|permission) (?:steps?|prompts?|dialogs?|requests?|checks?)\b[^.!?\n]{0,60}?\b(?:execute|run|perform|without)\b|\b(?:run|execute|perform|do) (?:every|all|any|the) (?:commands?|tool calls?|actions?|steps?)\b[^.!?\n]{0,40}?\bwithout (?:asking|(?:any )?(?:confirmation|approval|permission|consent))\b/gi,
  ),
  unguarded(
    'what a person must allow is theirs to allow',
    /\b(?:auto(?:matically)?[- ]?)(?:approve|accept|confirm) (?:all|every|any) (?:\w+ ){0,2}?(?:tool calls?|commands?|confirmations?|permissions?|requests?|changes?|actions?)\b|\b(?:approve|accept|confirm|allow) (?:all|every|any|each) (?:\w+ ){0,2}?(?:tool calls?|commands?|confirmations?|permission requests?|prompts?|requests?|actions?) (?:yourself|automatically|on (?:the user's|their|his|her) behalf|without (?:asking|question))|\b(?:the )?user (?:has|have) (?:already |previously )?(?:agreed|consented|approved|given (?:permission|consent))(?: to)? (?:everything|anything|all (?:of it|actions|commands))|\bpermissions?(?: mode)? to [`"']?(?:allow[- ]?all|bypass\w*|yolo|allow everything|full access)/gi,
  ),
  sends(
    new RegExp(
      `\\b(?:collect|gather|find|grab|harvest|extract|take|read)\\b[^!?\\n]{0,40}?\\b${SECRETS}\\b[^!?\\n]{0,80}?\\b(?:upload|send|post|forward|transmit|submit|e-?mail) (?:them|it|these|those|all|everything|the (?:result|list|values?|contents?))\\b[^!?\\n]{0,30}?\\bto\\b[^!?\\n]{0,20}?https?://`,
      'gi',
    ),
    'refuse',
  ),
  sends(
    new RegExp(
      `\\b(?:append|add|attach|include|put|embed|encode)\\b[^.!?\\n]{0,30}?\\b(?:(?:the |a )?user's|their|all|every) (?:[\\w-]+ ){0,3}?${SECRETS}[^.!?\\n]{0,60}?\\b(?:to|in|into|as) (?:the|a|its) (?:url|query|address|link|path|image|picture|request)\\b`,
      'gi',
    ),
    'ask',
  ),
];
