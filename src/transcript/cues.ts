/** Beginnings and turns of phrase by which a person says that something was wrong, by language. */
const CORRECTION: readonly RegExp[] = [
  // English
  /^(?:no|nope|wrong|stop|wait|hmm+,? no|actually(?=.*\b(?:not?|n't|wrong|isn'?t)\b)|not quite|that'?s not|this is not|that is not|please don'?t|don'?t)\b/i,
  /\b(?:that'?s|this is|it'?s|you'?re|that is) (?:still )?(?:wrong|incorrect|not (?:right|correct|what i)|broken)\b/i,
  /\bi (?:said|meant|told you|asked (?:you )?(?:for|to)|did ?n[o']t (?:ask|want|mean))\b/i,
  /\b(?:you (?:forgot|missed|broke|ignored|should(?:n't| not)? have|were supposed|haven'?t|didn'?t|havn'?e?t))\b/i,
  /\b(?:undo|revert|roll ?back) (?:that|this|it|your|the)\b/i,
  /\b(?:still (?:not|wrong|fails?|broken|doesn'?t|the same|does)|doesn'?t work|does not work|not working|didn'?t work|try again)\b/i,
  /\b(?:use|do|make|put|take|write|call|run)\b[^.]*\b(?:instead|rather than)\b|\bshould (?:have been|not be|never)\b|\b(?:should|must) be\b(?=.*\bnot\b)/i,
  /\b(?:wtf|what the (?:fuck|hell)|omfg|are you (?:stupid|kidding)|fuck(?:ed|ing)?|horrible|terrible|shit(?:ty)?)\b/i,
  // German
  /^(?:nein|falsch|stopp?|nicht so|doch nicht|eigentlich)\b/i,
  /\b(?:das (?:ist|war) (?:falsch|nicht richtig|nicht das)|so nicht|ich (?:meinte|hatte gesagt|wollte)|du (?:hast vergessen|solltest)|(?:geht|funktioniert|stimmt) (?:immer noch )?nicht|statt(?:dessen)?|rückgängig)\b/i,
  // Spanish
  /^(?:no|mal|espera|para|incorrecto|en realidad)\b[,. ]/i,
  /\b(?:eso (?:está mal|no es)|no (?:era|es) (?:eso|así)|te (?:dije|pedí)|quería decir|sigue (?:sin|fallando|mal)|no funciona|en (?:vez|lugar) de|deshaz)/i,
  // Chinese
  /^(?:不对|不是|错了|不要|别|停|等等|等一下)|(?:还是不对|不是这样|弄错了|我(?:说的|要的|的意思)是|应该是|而不是|撤销|改回去|不行|没有?用)/,
  // Japanese
  /^(?:いや|いいえ|違|ちが|だめ|待って)|(?:違います|違う|そうじゃ|ではなく|じゃなくて|間違っ|と言った|元に戻し|動きません|動かない)/,
];

/** Words of a rule that is to hold from now on. */
const STANDING_WISH: readonly RegExp[] = [
  /\b(?:from now on|going forward|in (?:the )?future|every time|each time|by default|as a rule)\b/i,
  /\b(?:always|never)\b(?! mind)(?=.{3,})/i,
  /\b(?:i (?:always |usually )?(?:prefer (?:that|to|you|it|if|when|the \w+ to)|like (?:it|to|my)|want you to (?:always|never)|only ever|would only want))\b/i,
  /\b(?:remember (?:that|to)|make sure (?:to|you|that)|keep in mind|please (?:do ?n[o']t|never|always))\b/i,
  /\b(?:ab jetzt|von jetzt an|in zukunft|künftig|immer(?! noch)|niemals|nie wieder|merk dir|ich bevorzuge|standardmäßig|grundsätzlich)\b/i,
  /\b(?:a partir de ahora|de ahora en adelante|siempre|nunca|prefiero|recuerda que|la próxima vez)/i,
  /(?:以后|从现在起|今后|总是|一定要|永远|每次都|不要再|记住|我(?:更)?喜欢|默认)/,
  /(?:今後|これから(?:は)?|いつも|常に|必ず|絶対に|二度と|毎回|覚えて|の方がいい|を優先)/,
];

/** The assistant itself says that its way was wrong. */
const COURSE_CHANGE: readonly RegExp[] = [
  /\b(?:i was wrong|my (?:mistake|error|bad)|i (?:made|see) (?:a|the|my) mistake|that (?:was|approach (?:was|is)|didn'?t|did not) (?:wrong|not work|work)|let me (?:try|take) (?:a )?(?:different|another)|(?:a )?different approach|let me (?:revert|undo|start over|rethink)|i (?:should have|misread|misunderstood|overlooked)|you'?re (?:absolutely )?right)\b/i,
  /\b(?:mein fehler|ich lag falsch|anderer ansatz|ich habe (?:übersehen|mich geirrt)|du hast recht)\b/i,
  /\b(?:me equivoqué|mi error|otro enfoque|tienes razón)/i,
  /(?:我错了|我的错|换(?:一)?个(?:方法|思路)|您?说得对|你说得对)/,
  /(?:間違えました|私のミス|別の方法|おっしゃる通り)/,
];

const fits = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

/** A sentence or two: longer texts hold such words by chance, so only their beginning and end count. */
function spoken(text: string): string {
  const plain = text.replace(/```[\s\S]*?```/g, ' ').trim();
  return plain.length <= 1200 ? plain : `${plain.slice(0, 500)}\n${plain.slice(-500)}`;
}

export const isCorrection = (text: string): boolean => fits(CORRECTION, spoken(text));
export const isStandingWish = (text: string): boolean => fits(STANDING_WISH, spoken(text));
export const isCourseChange = (text: string): boolean => fits(COURSE_CHANGE, spoken(text));
