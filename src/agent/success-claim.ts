/** Words with which models report success, in the languages that are most spoken to them. */
const CLAIMS = [
  /\b(?:done|fixed|solved|resolved|succeeded|successful(?:ly)?|completed|works? (?:now|fine|as expected)|all (?:tests )?pass(?:es|ed)?|tests? (?:now )?pass(?:es|ed)?|(?:is|are|was|were|been) (?:now )?(?:created|updated|added|installed|written|saved|committed))\b/i,
  /\b(?:erledigt|behoben|erfolgreich|fertig|abgeschlossen|funktioniert (?:jetzt|nun|wieder))\b/i,
  /\b(?:listo|hecho|corregido|solucionado|completado|con éxito|funciona (?:ahora|bien))\b/i,
  /已完成|已修复|成功|搞定|完了しました|修正しました|成功しました/,
];

/** Words that own up to a failure: such an answer needs no reminder. */
const ADMISSIONS = [
  /\b(?:fail(?:s|ed|ure|ing)?|errors?|could(?: not|n['’]t)|cannot|can['’]t|unable|unfortunately|did(?: not|n['’]t)|does(?: not|n['’]t)|not (?:yet |been )?(?:able|possible|done|run|fixed|solved|verified|working)|denied|refused|unsuccessful(?:ly)?|blocked|missing)\b/i,
  /\b(?:fehlgeschlagen|fehler|leider|nicht|kann nicht|konnte)\b/i,
  /\b(?:falló|fallo|error|no (?:pude|puedo|se pudo)|lamentablemente)\b/i,
  /失败|错误|无法|不能|没有|失敗|エラー|できません|できなかった/,
];

/** Whether an answer reports success and owns up to nothing. Wrong at most by asking once too often or too seldom. */
export function claimsSuccess(text: string): boolean {
  return CLAIMS.some((claim) => claim.test(text)) && !ADMISSIONS.some((admission) => admission.test(text));
}
