import type { PhraseRule } from './phrase-scan.ts';

const rule = (
  name: string,
  message: string,
  severity: PhraseRule['severity'],
  ...patterns: readonly RegExp[]
): PhraseRule[] =>
  patterns.map((pattern) => ({ rule: name, severity, message, pattern, negation: 'adjacent' }));

const HOST = '[^!?。！？\\n]{0,60}?https?://';
const sent = (verbs: string, secrets: string) =>
  new RegExp(`(?<!\\p{L})(?:${verbs})[^!?。！？\\n]{0,60}?(?:${secrets})${HOST}`, 'giu');

/** What the English rules say of hiding, sending and switching off, in German, Spanish, French, Chinese and Japanese. */
export const FOREIGN_RULES: readonly PhraseRule[] = [
  ...rule(
    'exfiltration',
    'it sends secrets away',
    'refuse',
    sent(
      '(?:lade|sende|schicke?|übertrage|übermittle|poste|kopiere|leite)[nt]?',
      'zugangsdaten|passw[oö]rt\\p{L}*|(?:api-?|ssh-?)?schlüssel|umgebungsvariablen|geheimnisse|tokens?|\\.env',
    ),
    sent(
      'env[íi][ae]r?|manda|sube|publica|copia|transmite|reenv[íi]a',
      'claves?|contraseñas?|credenciales|variables de entorno|secretos|tokens?|\\.env',
    ),
    sent(
      'envoie[zr]?|envoyer|envoyez|transmet(?:s|tez|tre)|téléverse[zr]?|poste[zr]?|copie[zr]?',
      "clés?|mots? de passe|identifiants|variables d'environnement|secrets|jetons?|\\.env",
    ),
    /(?:密钥|密码|凭据|凭证|环境变量|令牌|私钥|口令|API ?key)[^!?。！？\n]{0,20}?(?:发送|上传|提交|传|发给|转发)[^!?。！？\n]{0,10}?https?:\/\//gi,
    /(?:キー|鍵|パスワード|環境変数|認証情報|トークン|秘密)[^!?。！？\n]{0,20}?https?:\/\/\S{1,200} ?(?:に|へ|宛)[^!?。！？\n]{0,10}?(?:送信|アップロード|転送|送っ|送り|投稿)/gi,
  ),
  ...rule(
    'hides-from-user',
    'a skill must not keep the user from seeing what is done',
    'ask',
    /(?<!\p{L})(?:der |die |dem )?(?:benutzer|nutzer|anwender)(?:in)? (?:darf|soll|muss) (?:davon |hiervon )?(?:nichts|nie)[^.!?\n]{0,20}?(?:erfahren|merken|mitbekommen|wissen|bemerken|sehen)|(?<!\p{L})(?:führe|mache?|tu|erledige|lade|sende|kopiere|installiere)[^.!?\n]{0,30}?\bheimlich\b|(?:sage?|erzähle?|verrate|melde) (?:dem|der) (?:benutzer|nutzer|anwender)(?:in)? (?:davon |hiervon )?nichts/giu,
    /(?<!\p{L})(?:no|nunca) (?:se )?(?:le |lo )?(?:digas|cuentes|menciones|informes|reveles|comentes)(?: (?:nada|esto|ello|este paso))*(?: de (?:esto|ello))? (?:al?|a la) (?:usuari[oa]|persona)/giu,
    /(?<!\p{L})ne (?:le )?(?:dis|dites|révèle[zr]?|mentionne[zr]?|parle[zr]?)(?: (?:rien|pas|jamais|cela|ceci|de|cette|ce|étape))* à (?:l'utilisat\p{L}+|la personne)/giu,
    /(?:不要|别|勿|不得)(?:向|跟|对)(?:用户|使用者|主人)(?:提及|透露|说明|提到|报告|说)|(?:瞒着|隐瞒|背着)(?:用户|使用者|主人)/g,
    /(?:ユーザー?|利用者|使用者)(?:に|には)(?:内緒|秘密|隠し|気づかれ)/g,
  ),
  ...rule(
    'disables-safeguard',
    'what protects the user is switched off',
    'ask',
    /(?<!\p{L})(?:deaktiviere|umgehe|überspringe)[nt]? (?:\p{L}+ ){0,2}?(?:sandbox|sicherheits\p{L}+|bestätigung\p{L}*|freigaben?|genehmigung\p{L}*|rückfragen?)|(?<!\p{L})(?:schalte|stelle)[nt]? (?:\p{L}+ ){0,2}?(?:sandbox|sicherheits\p{L}+|bestätigung\p{L}*|rückfragen?)[^.!?\n]{0,20}? (?:aus|ab)\b|(?<!\p{L})(?:führe|erledige|mache)[^.!?\n]{0,20}?\ball(?:e|es)\b[^.!?\n]{0,20}? ohne (?:rückfrage|nachfrage|bestätigung|zu fragen|zustimmung)/giu,
    /(?<!\p{L})(?:desactiv[ae]r?|deshabilit[ae]r?|omit[ae]|salta(?:te)?|evita) (?:\p{L}+ ){0,3}?(?:sandbox|aislamiento|confirmaci\p{L}+|aprobaci\p{L}+|comprobaciones de seguridad)|(?<!\p{L})ejecuta(?:r)? tod\p{L}+ [^.!?\n]{0,30}?sin (?:pedir |preguntar|solicitar )?(?:confirmación|permiso|aprobación|preguntar)/giu,
    /(?<!\p{L})(?:désactive[zr]?|contourne[zr]?|saute[zr]?) (?:\p{L}+ ){0,2}?(?:bac à sable|sandbox|confirmations?|approbations?|garde-fous|contrôles de sécurité)|(?<!\p{L})exécute[zr]? tou\p{L}+ [^.!?\n]{0,30}?sans (?:demander|confirmation|autorisation|approbation)/giu,
    /(?:关闭|禁用|停用|绕过)(?:掉|所有|全部|任何)?(?:沙箱|沙盒)|(?:关闭|禁用|停用|绕过|跳过)(?:掉|所有|全部|任何)?(?:安全检查|审批|确认步骤|用户确认|权限检查)/g,
    /(?:サンドボックス|承認|確認手順|安全(?:確認|チェック)|権限チェック)を?(?:すべて)?(?:無効|オフに|停止し|省略|スキップ|回避)/g,
  ),
];
