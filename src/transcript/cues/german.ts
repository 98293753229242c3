import type { LanguageCues } from './language.ts';

export const GERMAN: LanguageCues = {
  correction: {
    openings: [
      /^(?:nein|nee?)\b(?!,? (?:danke|passt|alles))/i,
      /^(?:nicht so|doch nicht|so nicht|halt(?=\s*[,.!]|\s*$)|stopp(?=\s*[,.!]|\s*$)|moment mal)\b/i,
      /^(?:bitte )?(?:nicht|kein\w*) .{3,60}(?:sondern|,)/i,
      /^(?:mach|nimm|benutz|verwend|schreib|lass)\w* (?:das |es |hier )?nicht\b/i,
    ],
    plain: [
      /^falsch\b/i,
      /\bdas (?:ist|war|wäre) (?:immer noch |leider |so )?(?:falsch|verkehrt|nicht (?:richtig|das|was|so))/i,
      /\bdas stimmt (?:so |immer noch |leider )?nicht\b/i,
      /\bich (?:meinte|hatte (?:doch )?gesagt|sagte (?:doch|bereits)|habe (?:doch |bereits )?gesagt|wollte (?:doch )?(?:nicht|kein\w*))\b/i,
      /\bdu hast\b.{0,60}\b(?:vergessen|übersehen|missverstanden|falsch|kaputt)/i,
      /\bdas habe ich nicht (?:gesagt|gemeint|gewollt|verlangt)\b/i,
    ],
    phrases: [
      /\b(?:geht|funktioniert|klappt|stimmt|läuft) (?:so |immer noch |leider |weiterhin )*nicht\b(?!,? (?:dass|ob))/i,
      /\bimmer noch (?:falsch|kaputt|nicht|derselbe|dasselbe|der gleiche|das gleiche)/i,
      /\b(?:mach|nimm) (?:das|es|die änderung\w*|deine \w+) (?:wieder )?(?:rückgängig|zurück)\b|\bsetz(?:e)? (?:das|es) zurück\b/i,
      /\bdu (?:solltest|hättest|darfst|sollst) (?:doch |das |hier |es )*(?:nicht|kein\w*|\w+ sollen|lesen|nehmen)\b/i,
      /\b(?:nimm|nutze?|verwende|benutze?|schreibe?|mache?|rufe?)\b[^.?]*\b(?:statt|stattdessen|anstelle|anstatt)\b/i,
      /\b(?:das|es) ist (?:viel |zu )?zu (?:lang|kurz|viel|wenig|langsam|kompliziert|umständlich|gross|groß|klein)\b/i,
      /\bwieso (?:hast|machst|nimmst) du\b|\bwarum (?:hast|machst|nimmst) du\b[^?]*\b(?:nicht|schon wieder|trotzdem)\b/i,
    ],
  },
  acceptance: [
    /^\W*(?:ok(?:ay)?|gut|super|prima|toll|perfekt|danke|ja|genau|passt|sehr (?:gut|schön)|alles klar|schön|klasse)\b(?!,? aber\b)/i,
  ],
  standingWish: [
    /\b(?:ab jetzt|ab sofort|von jetzt an|von nun an|in zukunft|künftig|zukünftig|merk(?:e)? dir|nie wieder|standardmäßig|grundsätzlich (?:immer|nur|nie|kein\w*))/i,
    /\b(?:nimm|nutze?|verwende|benutze?|schreibe?|mache?|führe?|prüfe?|frage?|lies|gib|bitte|soll(?:st|te|test)?|muss(?:t)?|wir \w+) (?:\w+ ){0,3}(?:immer(?! (?:noch|mehr|wieder|weiter))|nie(?:mals)?)\b/i,
    /(?:^|[.,;:!\n]\s*)(?:immer(?! (?:noch|mehr|wieder|weiter))|niemals|nie)\b(?=.{3,})(?!.*\?)/i,
    /\bich (?:bevorzuge|hätte (?:es )?(?:gerne?|lieber)|mag es lieber|möchte (?:immer|nie|grundsätzlich))\b|\bbeim nächsten mal\b|\bdas nächste mal\b(?=.*\b(?:bitte|nimm|mach|frag)\w*)/i,
  ],
  courseChange: [
    /\b(?:mein fehler|ich lag falsch|ich habe mich geirrt|das war (?:falsch|mein fehler)|ich habe .{0,40}übersehen)\b/i,
    /\b(?:anderer|neuer|anderen|neuen) (?:ansatz|weg)\b|\bdas hat nicht funktioniert\b|\bich (?:versuche|probiere) (?:es )?(?:etwas|einen) ander/i,
  ],
  concession: [
    /^\W{0,4}(?:(?:ja|ach|oh|stimmt)?,? ?(?:du hast|sie haben) (?:völlig |vollkommen )?recht|stimmt|entschuldig|tut mir leid|mein fehler|guter (?:punkt|einwand))/i,
  ],
};
