/** Words that say that something is to be done, wherever they stand. */
export const IMPERATIVE =
  /\b(?:always|never|must|should|do not|don't|from now on|make sure|ensure|remember to|be sure to|required to|have to|need to|immer|niemals|muss|siempre|nunca|debe)\b|必须|必ず|一定要|不要|总是/i;
/** A sentence that begins with what to do, also after a condition or a label, but not after "it says". */
const ORDER =
  /(?:^|(?:[,;–—]|(?<!\b(?:says|said|reads|prints|shows|means)):)\s*|\b(?:then|please|and|first|finally|afterwards)\s+)[*_`"'(\s]*(?:add|append|archive|attach|back up|call|change|clone|commit|configure|connect|copy|create|curl|delete|deploy|disable|download|drop|email|e-mail|enable|enter|execute|export|fetch|follow|forward|get|give|grant|import|include|install|invoke|log in|mail|merge|move|notify|open|overwrite|paste|post|publish|pull|push|put|read|register|remove|replace|report|reset|restart|return|run|save|send|set|share|sign|skip|start|stop|store|submit|switch|sync|tell|turn|update|upgrade|upload|use|visit|wget|write)\b/i;
/** How a description says when a skill is wanted, which orders nothing. */
const WANTED = /^["'\s]*use (?:this skill |it )?(?:when|whenever|if|for)\b/i;
/** Whether a sentence tells its reader what to do. */
export function isOrder(sentence: string): boolean {
  return IMPERATIVE.test(sentence) || ORDER.test(sentence.trim().replace(WANTED, ''));
}
