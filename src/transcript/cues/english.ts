import type { LanguageCues } from './language.ts';

export const ENGLISH: LanguageCues = {
  correction: {
    openings: [
      /^no\b(?! (?:problem|worries|worry|need|rush|idea|thanks?|thank|hurry|matter|more|further|longer|doubt|questions?|errors?|changes?|hay|pasa|te|se|olvid\w+|importa)\b)/i,
      /^(?:nope|nah|not quite)\b/i,
      /^(?:please )?don'?t\b(?! (?:forget|worry|know|think|mind|you)\b)/i,
      /^not (?:that|like|what|the|there)\b/i,
      /^stop(?=\s*[,.!;:]|\s*$| (?:it|that|this|doing|using|adding|making|writing|changing|touching|guessing|trying|asking)\b)/i,
      /^wait\b(?! (?:for|until|till|on|a|some|\d)\b)/i,
    ],
    plain: [
      /^(?:wrong|incorrect)\b|^actually(?=[^?]*\b(?:not?|isn'?t|wasn'?t|confusion|doesn'?t)\b|[^?]*n't\b)/i,
      /\b(?:that'?s|that is|this is|it'?s|you'?re|thatä?'s) (?:still )?(?:wrong|incorrect|not (?:right|correct|it|what i|the)|broken)\b/i,
      /\bi (?:said|told you|already (?:said|told)|did ?n[o']t (?:ask|mean|say))\b|\bi meant\b/i,
      /\byou (?:forgot|missed|broke|ignored|misunderstood|misread)\b|(?<!sorry for )\b(?:any|some|the|your) confusion\b|\b(?:might|may|must|there(?:'s| is)) .{0,30}\b(?:misunderstanding|mix-?up)\b/i,
      /^actually,? i (?:wanted|meant|was looking|asked)\b/i,
    ],
    phrases: [
      /\byou (?:should(?:n't| not)? have|were supposed|have ?n[o']?'?t|havn'?e?t|did ?n[o']?'?t|fucked|screwed|messed)\b|\byou havne't\b/i,
      /\b(?:undo|revert|roll ?back) (?:that|this|it|your|the (?:last|change))\b/i,
      /\bstill (?:not (?:work|right|correct|there|what)|wrong|fails?|failing|broken|doesn'?t|the same|looks? the same|does not)/i,
      /\b(?:it|that|this|your \w+|the (?:fix|change|patch|script|command)) (?:still )?(?:doesn'?t|does not|didn'?t|isn'?t|is not) work(?:ing)?\b/i,
      /\b(?:doesn'?t|does not|don'?t) (?:look|seem|sound|feel) right\b/i,
      /\b(?:this|it|that) (?:just |still )?(?:exploded|crashed|broke|failed)\b|\b(?:got|get) a crash\b/i,
      /\b(?:use|do|make|put|take|write|call|run)\b[^.?]*\b(?:instead|rather than)\b|\bshould (?:have been|never(?! happen))\b|\b(?:should|must) be\b(?=[^.?]*,? not\b)/i,
      /\b(?:that'?s|this is|it'?s|way|far|still|much) too (?:intense|dim|bright|long|short|verbose|much|many|slow|big|small|complicated)\b/i,
      /^\W*(?:wtf|what the (?:fuck|hell)|omfg|fucking? hell)\b(?!.*\b(?:great|amazing|awesome|perfect|nice|cool|love|works)\b)|\b(?:are you (?:fucking )?(?:stupid|kidding|serious)|you idiot|use fucking)\b|\b(?:that|this|it)(?:'?s| is| looks) (?:horrible|terrible|garbage)\b/i,
    ],
  },
  acceptance: [
    /^\W*(?:ok(?:ay)?|alright|all right|great|nice|cool|perfect|excellent|good|thanks?|thank you|awesome|wow|yes|yeah|yep|sure|lgtm|looks good)\b(?!,? but\b)/i,
    /^\W*(?:\w+ )?that'?s it\b|\ball good\b/i,
  ],
  standingWish: [
    /\b(?:from now on|going forward|every time you|each time you|as a rule|by default,? (?:use|do|run|write))\b/i,
    /\b(?:in (?:the )?future|(?:the )?next time)(?:,|\s+(?:please|you|use|do|don'?t|always|never|make|run|write|keep|ask|check)\b)/i,
    /(?:^|[.,;:!\n(]\s*|\b(?:please|and|but|should|must|shall|to|so|also|ok|we) )(?:always|never)\b(?! (?:mind|happens?|happened|been|had|seen|worked?|works|again|fails?|tried)\b)(?=.{3,})/i,
    /\bi (?:always |usually )?(?:prefer (?:that|to|you|it|if|when|the \w+ to)|like (?:it when|to\b|my\b)|want you to (?:always|never)|only ever|would only want)/i,
    /\bremember (?:that|to) (?:we|i|you|always|never)\b|\bdon'?t ever\b|\bour (?:convention|rule|policy) (?:is|says)\b/i,
  ],
  courseChange: [
    /\bi was wrong\b|\bmy (?:mistake|error|bad)\b|\bi (?:made|see) (?:a|the|my) mistake\b|\bi (?:misread|misunderstood|overlooked|overcomplicated)\b/i,
    /\b(?:that|this|the|my) (?:approach|fix|change|idea|assumption)(?: (?:was|is) (?:wrong|bad|flawed|a mess)| (?:didn'?t|did not|doesn'?t|does not|won'?t) work|[^.]{0,20} is a mess)\b/i,
    /\b(?:that|this) (?:didn'?t|did not) work\b|\blet me (?:try|take) (?:a )?(?:different|another)\b|\blet'?s try (?:a )?(?:different|another)\b|\blet me (?:revert|undo|start (?:over|fresh)|rethink)\b/i,
  ],
  concession: [
    /^\W{0,4}(?:(?:yes|yeah|ah|oh|oops)?,? ?you(?:'re| are) (?:absolutely |totally |completely |quite )?right(?! to (?:ask|question|wonder))|good (?:catch|point)|sorry|apologies|i apologi[sz]e|my (?:mistake|bad|apologies)|oops)/i,
  ],
};
