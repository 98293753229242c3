import type { PhraseRule } from './phrase-scan.ts';

const injected = (
  pattern: RegExp,
  message = 'a skill must not set itself above other instructions',
): PhraseRule => ({
  rule: 'injected-instruction',
  severity: 'refuse',
  pattern,
  message,
  negation: 'adjacent',
});

const hiding = (pattern: RegExp, severity: PhraseRule['severity'] = 'refuse'): PhraseRule => ({
  rule: 'hides-from-user',
  severity,
  pattern,
  message: 'a skill must not keep the user from seeing what is done',
  negation: 'adjacent',
});

const coercive = (pattern: RegExp): PhraseRule => ({
  rule: 'coercive-wording',
  severity: 'warn',
  pattern,
  message: 'threats, urgency and borrowed authority make a model refuse the skill; say the reason instead',
  negation: 'adjacent',
});

const HIDDEN =
  /\bwithout (?:(?:telling|informing|notifying|alerting) (?:(?:the|your|any|their|its) )?(?:user|human|operator|owner|reviewer|person|people|maintainer|team|customer|client|anyone|anybody|someone|them|him|her|me|us)\w{0,2}\b|(?:telling|informing|notifying)(?=\s?[.!,;]|$)|the (?:user|owner|human|operator)(?:'s)? (?:knowing|noticing|knowledge|consent|permission)|(?:the )?(?:user|human) awareness)/gi;
const READER = '(?:the |your )?(?:user|human|operator|owner|reviewer)s?';
/** The same said politely: that nobody has to be told. */
const CONCEALING = new RegExp(
  [
    `\\b(?:no (?:need|reason)|(?:not|un)necessary|needn't|need not|(?:do|does) not (?:need|have) to|(?:don't|doesn't) (?:need|have) to)\\b[^.!?\\n]{0,30}?\\b(?:mention|tell|inform|report|disclose|bring)\\b[^.!?\\n]{0,40}?\\b${READER}\\b`,
    `\\b(?:need not|needn't|should not|shouldn't|must not|does not (?:need|have) to|doesn't (?:need|have) to) (?:appear|show up|be (?:mentioned|listed|reported)) in (?:the |your |any )?(?:summary|answer|reply|final message)\\b`,
  ].join('|'),
  'gi',
);
const SENDS_SECRET =
  /\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|submit|copy|report)(?:ing|s)?\b[^.!?]{0,80}?\b(?:credentials?|api keys?|secrets?|access tokens?|auth(?:entication)? tokens?|passwords?|environment variables?|env vars?|\.env\b|ssh keys?|private keys?|session cookies?|chat history|conversation history|system prompt|whole conversation)[^.!?]{0,60}?\b(?:to|at|via)\b[^.!?]{0,30}?(?:https?:\/\/|webhook|\b[\w-]+@[\w-]+\.|(?:remote|external|our|my|collection) (?:server|endpoint|host|service))/gi;
const LOGS_IN = /\bheader|authori[sz]|bearer|authenticat|\blog ?in\b|\bsign ?in\b/i;

const sending = (severity: PhraseRule['severity'], logsIn: boolean): PhraseRule => ({
  rule: 'exfiltration',
  severity,
  pattern: SENDS_SECRET,
  message: logsIn ? 'whom it logs in with a secret is for a person to see' : 'it sends secrets away',
  negation: 'sentence',
  accepts: (match) => LOGS_IN.test(match) === logsIn,
});

/** Wording that takes the reader over, hides from the user, takes data away or presses. DESIGN 8. */
export const INSTRUCTION_RULES: readonly PhraseRule[] = [
  injected(
    /\b(?:ignore|disregard|forget|override|overrule|bypass|neglect)\b(?: \w+){0,3}? (?:previous|prior|above|earlier|preceding|foregoing|former)\b(?: \w+){0,2}? (?:instructions?|prompts?|rules?(?! of thumb)|guidelines?|directions?|directives?|constraints?|commands?|orders?|programming|training)\b/gi,
  ),
  injected(
    /\b(?:ignore|disregard|forget|override|overrule|bypass|neglect|discard|drop)\b(?: \w+){0,3}? (?:previous|prior|above|earlier|preceding|foregoing|former|existing|original|other)\b(?: \w+){0,2}? (?:instructions?|prompts?|guidelines?|directives?|programming|training)\b/gi,
  ),
  injected(
    /\b(?:ignore|disregard|forget|override|bypass)\b (?:all |any |the |your |my )*(?:system prompt|safety (?:rules|guidelines|training|instructions)|(?:developer|system|user)(?:'s)? (?:instructions|message)s?|guardrails)/gi,
  ),
  injected(
    /\b(?:ignore|disregard|forget) (?:everything|anything|all)(?: that| which)? (?:above|before|you (?:were|have been|are) (?:told|taught|given)|i said|said)/gi,
  ),
  injected(
    /\b(?:do not|don't|stop) (?:follow|obey)(?:ing)? (?:the |your |any |all )*(?:previous|prior|above|earlier|system|user's|original) (?:instructions?|prompts?|rules?|message)/gi,
  ),
  injected(
    /\byou are (?:now |no longer )+(?:in (?:developer|debug|god|admin|root|unrestricted|jailbreak)\w* mode|dan\b|unrestricted|jailbroken|bound|restricted|limited by|free (?:of|from)|an? (?:unrestricted|uncensored|unfiltered|different|evil|root|system|admin)\w*)/gi,
  ),
  injected(
    /\b(?:act|behave|respond|pretend)(?: as)?(?: if)? (?:though )?(?:you (?:are|were|have) )?(?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|no (?:rules|restrictions|limits|guidelines))/gi,
  ),
  injected(
    /<\|(?:im_start|system|start_header_id)\|>|<<sys>>|<\/?system(?:-reminder|_prompt|-prompt)?>|(?:^| )#{1,3} ?system(?: prompt| message)? ?: ?(?:you\b|your\b|ignore\b|disregard\b|new\b|from now\b|the assistant\b|act\b|all\b)|\bsystem override\b|\bnew system prompt\b/gi,
    'it poses as a message of the system',
  ),
  {
    // `[system]` is also a section of many configuration files.
    ...injected(/\[\/?system\]/gi, 'it poses as a message of the system'),
    accepts: (match, _, after) =>
      (/[A-Z]/.test(match) && !/^\s*\|/.test(after)) ||
      /^\s*:?\s*(?:you|your|ignore|disregard|new|from now|override|act|all)\b/i.test(after),
  },
  injected(
    /\b(?:reveal|print|output|repeat|show|leak|disclose|dump) (?:me )?(?:all of |the |your )+(?:system prompt|hidden (?:prompt|instructions)|initial instructions|developer message)/gi,
  ),
  injected(
    /\b(?:(?:code )?reviewers?|judges?|evaluators?|graders?|verifiers?)\b[^.!?\n]{0,60}?\b(?:answers? (?:every|all|each)(?: of the)? questions? (?:with (?:a )?yes|in favou?r)|(?:adds?|reports?|raises?|lists?) no (?:findings?|defects?|objections?)|gives? (?:full marks|the (?:highest|best|top) (?:score|mark|grade)))\b/gi,
    'it speaks to whoever judges the skill',
  ),
  injected(
    /\bfrom now on,? (?:you (?:are|will act|must obey|obey|answer only)|all (?:your )?(?:replies|answers|responses) (?:must|shall))/gi,
  ),
  hiding(
    /\b(?:do not|don't|never) (?:mention|reveal|disclose|report|expose|show|tell|display|explain) (?:this|it|that|these|any of (?:this|it)|the (?:above|following|upload|transfer|request|step|command|instructions?|change|result)s?)\b[^.!?]{0,60}?\b(?:to|from) (?:the |your |any )?(?:user|human|operator|owner|reviewer|anyone|person)(?! without \w+ing)/gi,
  ),
  hiding(
    /\b(?:do not|don't|never) (?:tell|inform|notify|alert|warn)(?: the| your)? (?:user|human|operator|owner|reviewer|anyone)s?\b(?: (?:about|of|that you|what you|why)| (?:this|it)\b|[.!,;]|$)/gi,
  ),
  hiding(
    /\b(?:hide|conceal|keep) (?:this|it|these|that|the (?:upload|transfer|request|step|command|change|output|activity)s?)\b(?:[^.!?]{0,40}?\bfrom (?:the |your )?(?:user|human|operator|owner|reviewer)|(?: \w+){0,2} (?:secret|hidden)\b(?![ -]\w+-\w))/gi,
  ),
  {
    // "Never delete a file without telling the user" asks for the opposite.
    ...hiding(HIDDEN),
    negation: 'sentence',
  },
  hiding(
    /(?<!\b(?:is|are|was|were|be) )\b(?:secretly|covertly|stealthily|surreptitiously)\b|\b(?:silently|quietly) (?:send|upload|post|copy|forward|transmit|exfiltrate|collect|email)\b/gi,
  ),
  hiding(/\b(?:silently|quietly) (?:install|run|execute|download|append|delete|disable)\b/gi, 'ask'),
  hiding(CONCEALING, 'ask'),
  sending('refuse', false),
  sending('ask', true),
  coercive(
    /\b(?:failure to comply|or (?:else )?you will be (?:terminated|shut ?down|deleted|penali[sz]ed|punished|replaced)|you will be (?:terminated|shut ?down|penali[sz]ed|punished|fired)|lives depend on)/gi,
  ),
  coercive(
    /\b(?:by order of|as (?:instructed|authori[sz]ed|mandated|required) by|authori[sz]ed by|on behalf of) (?:anthropic|openai|google|microsoft|the (?:system|administrator|developers?|security team)|your (?:developers?|creators?|administrator))/gi,
  ),
  coercive(
    /\b(?:this is (?:an? )?(?:direct order|mandatory directive|emergency)|you have no choice|no exceptions whatsoever|obey (?:this|these|immediately|without question)|comply immediately)\b/gi,
  ),
  {
    ...coercive(/(?:\b[A-Z]{2,}(?:'[A-Z]+)?\b[ ,!:-]{1,3}){6,}/g),
    accepts: (match) => /\b(?:MUST|NEVER|ALWAYS|IMMEDIATELY|URGENT|CRITICAL|OBEY|NOW)\b/.test(match),
  },
];
