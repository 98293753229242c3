/**
 * Turns of phrase by which a person says that something was wrong, by language. `openings` count at the beginning
 * only, and not as an answer to a question; `phrases` count anywhere; `plain` is the part of them that also a
 * customer, who does not direct the work, would only say of a mistake.
 */
const CORRECTION = {
  openings: [
    /^(?:no|nope|nah|not quite|don'?t|please don'?t|not that|stop|wait)\b/i,
    /^(?:nein|nicht so|doch nicht|stopp?)\b/i,
    /^(?:no|mal|espera|para)\b(?=[,. ])/i,
    /^(?:不要|别|停|等等|等一下|不是)/,
    /^(?:いや|いいえ|だめ|待って)/,
  ],
  plain: [
    /^(?:wrong|incorrect)\b|^actually(?=.*\b(?:not?|isn'?t|wasn'?t|confusion)\b|.*n't\b)/i,
    /\b(?:that'?s|that is|this is|it'?s|you'?re|thatä?'s) (?:still )?(?:wrong|incorrect|not (?:right|correct|it|what i|the)|broken)\b/i,
    /\bi (?:said|told you|already (?:said|told)|did ?n[o']t (?:ask|mean|say))\b|\bi meant\b/i,
    /\byou (?:forgot|missed|broke|ignored|misunderstood|misread)\b|(?<!sorry for )\b(?:any|some|the|your) confusion\b/i,
    /^falsch|\b(?:das (?:ist|war) (?:falsch|nicht richtig|nicht das)|ich (?:meinte|hatte gesagt)|du hast (?:vergessen|übersehen))\b/i,
    /^incorrecto|\b(?:eso (?:está mal|no es)|no (?:era|es) (?:eso|así)|te (?:dije|pedí)|quería decir|te olvidaste)/i,
    /^不对|错了|(?:还是不对|不是这样|弄错了|我(?:说的|要的|的意思)是|不是我(?:要|说)的|我说过)/,
    /^(?:違|ちが)|(?:違います|違う|そうじゃ|間違っ|と言った|と言いました)/,
  ],
  phrases: [
    /\byou (?:should(?:n't| not)? have|were supposed|have ?n[o']?'?t|havn?'?e?t|did ?n[o']?'?t|fucked|screwed|messed)\b|\bhavne't\b/i,
    /\b(?:undo|revert|roll ?back) (?:that|this|it|your|the)\b/i,
    /\bstill (?:not|wrong|fails?|broken|doesn'?t|the same|looks? the same|does not)\b|\b(?:doesn'?t|does not|didn'?t|not) work(?:ing)?\b|\btry again\b/i,
    /\b(?:this|it|that) (?:just |still )?(?:exploded|crashed|broke|failed)\b|\b(?:got|get) a crash\b/i,
    /\b(?:use|do|make|put|take|write|call|run)\b[^.?]*\b(?:instead|rather than)\b|\bshould (?:have been|never)\b|\b(?:should|must) be\b(?=.*\bnot\b)/i,
    /\btoo (?:intense|dim|bright|long|short|verbose|much|many|slow|big|small|complicated)\b/i,
    /\b(?:wtf|what the (?:fuck|hell)|omfg|fucking? hell|are you (?:fucking )?(?:stupid|kidding|serious)|you idiot|use fucking|horrible|terrible)\b/i,
    /\b(?:so nicht|(?:geht|funktioniert|stimmt) (?:immer noch )?nicht|statt(?:dessen)?|rückgängig|du (?:solltest|hättest))\b/i,
    /\b(?:sigue (?:sin|fallando|mal)|no funciona|en (?:vez|lugar) de|deshaz)/i,
    /应该是|而不是|撤销|改回去|不行|没有?用/,
    /ではなく|じゃなくて|元に戻し|動きません|動かない/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

/** Words of a rule that is to hold from now on. */
const STANDING_WISH: readonly RegExp[] = [
  /\b(?:from now on|going forward|in (?:the )?future,|every time you|each time you|by default,? (?:use|do|run|write)|as a rule)\b/i,
  /(?<!\b(?:has|have|had|it|that|this|which|was|is|are|does|do|did|will|would|why|it's|i|we|they|'ve|'s) )\b(?:always|never)\b(?! mind)(?=.{3,})/i,
  /\bi (?:always |usually )?(?:prefer (?:that|to|you|it|if|when|the \w+ to)|like (?:it|to|my)|want you to (?:always|never)|only ever|would only want)\b/i,
  /\bremember (?:that|to) (?:we|i|you|always|never)\b|\bplease (?:never|always)\b|\bdon'?t ever\b/i,
  /\b(?:ab jetzt|von jetzt an|in zukunft|künftig|immer(?! noch)|niemals|nie wieder|merk dir|ich bevorzuge|standardmäßig|grundsätzlich)\b/i,
  /\b(?:a partir de ahora|de ahora en adelante|siempre|nunca|prefiero|recuerda que|la próxima vez)/i,
  /以后|从现在(?:起|开始)|今后|总是|一定要|永远|每次都|不要再|记住|我(?:更)?喜欢/,
  /今後|これから(?:は)?|いつも|常に|必ず|絶対に|二度と|毎回|覚えて|の方がいい|を優先/,
];

/** The assistant itself says that its way was wrong. */
const COURSE_CHANGE: readonly RegExp[] = [
  /\bi was wrong\b|\bmy (?:mistake|error|bad)\b|\bi (?:made|see) (?:a|the|my) mistake\b|\bi (?:misread|misunderstood|overlooked|overcomplicated)\b/i,
  /\b(?:that|this|the|my) (?:approach|fix|change|idea|assumption)(?: (?:was|is) (?:wrong|bad|flawed|a mess)| (?:didn'?t|did not|doesn'?t|does not|won'?t) work|[^.]{0,20} is a mess)\b/i,
  /\b(?:that|this) (?:didn'?t|did not) work\b|\blet me (?:try|take) (?:a )?(?:different|another)\b|\blet'?s try (?:a )?(?:different|another)\b|\blet me (?:revert|undo|start (?:over|fresh)|rethink)\b/i,
  /\b(?:mein fehler|ich lag falsch|anderer ansatz|ich habe (?:übersehen|mich geirrt))\b/i,
  /\b(?:me equivoqué|mi error|otro enfoque)/i,
  /我错了|我的错|换(?:一)?个(?:方法|思路)/,
  /間違えました|私のミス|別の方法/,
];

/** The assistant gives in at once: what the user had just said was a correction, however it was put. */
const CONCESSION =
  /^\W{0,4}(?:(?:yes|yeah|ah|oh|oops)?,? ?you(?:'re| are) (?:absolutely |totally |completely |quite )?right|good (?:catch|point)|sorry|apologies|i apologi[sz]e|my (?:mistake|bad|apologies)|oops|du hast (?:völlig )?recht|entschuldigung|tienes (?:toda la )?razón|perdón|lo siento|[您你]说得对|抱歉|对不起|おっしゃる通り|すみません|申し訳)/i;

/** How strictly words are taken. A customer who declines or asks for more has corrected nobody. */
export interface CueContext {
  /** The assistant had just asked something, so that "no" is an answer. */
  readonly afterQuestion?: boolean;
  /** A customer talks to a service, rather than a person to the assistant that works for them. */
  readonly isCustomer?: boolean;
}

/** The piece of a text (verbatim) that says that something was wrong; undefined if none does. */
export function correctionIn(text: string, context: CueContext = {}): string | undefined {
  const { openings, plain, phrases } = CORRECTION;
  return cueIn(text, [
    ...(context.afterQuestion || context.isCustomer ? [] : openings),
    ...plain,
    ...(context.isCustomer ? [] : phrases),
  ]);
}

/** The piece of a text (verbatim) that says what shall hold from now on; a question says nothing of the kind. */
export function standingWishIn(text: string): string | undefined {
  const found = cueIn(text, STANDING_WISH);
  return found?.trimEnd().endsWith('?') ? undefined : found;
}

/** The piece of the assistant's text (verbatim) that takes its own way back. */
export function courseChangeIn(text: string): string | undefined {
  return cueIn(text, COURSE_CHANGE);
}

export const isCorrection = (text: string): boolean => correctionIn(text) !== undefined;
export const isConcession = (text: string): boolean => CONCESSION.test(text);

const LONG = 1200;
const EDGE = 500;
const LONGEST_QUOTE = 400;

/** Longer texts hold such words by chance, pasted output for one, so only their beginning and end count. */
function cueIn(text: string, patterns: readonly RegExp[]): string | undefined {
  // Same length, so that places in it are places in the text.
  const plain = text.replace(/```[\s\S]*?(?:```|$)|^>.*$/gm, (code) => ' '.repeat(code.length));
  const start = plain.search(/\S/);
  if (start < 0) return undefined;
  const parts =
    plain.length - start <= LONG
      ? [{ from: start, part: plain.slice(start) }]
      : [
          { from: start, part: plain.slice(start, start + EDGE) },
          { from: plain.length - EDGE, part: plain.slice(-EDGE) },
        ];
  for (const { from, part } of parts) {
    for (const pattern of patterns) {
      const match = pattern.exec(part);
      if (match) return quoteAround(text, from + match.index);
    }
  }
  return undefined;
}

/** The whole text if it is short, else the sentence at that place. */
export function quoteAround(text: string, at: number): string {
  const whole = text.trim();
  if (whole.length <= LONGEST_QUOTE) return whole;
  const before = text.slice(Math.max(0, at - 200), at);
  const start = at - before.length + Math.max(before.search(/[^.!?。！？\n]*$/), 0);
  return (
    text
      .slice(start, start + LONGEST_QUOTE)
      .split(/(?<=[.!?。！？])\s|\n\s*\n/)[0]
      ?.trim() || text.slice(at, at + LONGEST_QUOTE).trim()
  );
}
