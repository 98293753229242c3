import type { SecretRule } from './secret-rule.ts';
import { isGivenPassword, isUnlikeWord, VALUE } from './secret-values.ts';

const GIVEN = `["']?(?<secret>${VALUE}{3,200})`;
/** What may stand between a program and its option. */
const OPTIONS = '\\b[^\\n|;]{0,200}?\\s';

const command = (hint: string, pattern: string): SecretRule => ({
  rule: 'command-password',
  hints: [hint],
  pattern: new RegExp(pattern, 'g'),
  accepts: isGivenPassword,
});

/** Words by which a sentence about `--password` goes on. */
const PROSE =
  /^(?:is|are|was|and|but|for|from|with|when|not|must|should|can|will|may|the|via|then|option|options|flag|flags|argument|parameter|field|instead|required|only|also|means|sets|takes|has|into|over|unless|because|since|here|there|this|that|which|prompt|prompts|interactively)$/i;

/** Passwords where a command, a file of logins or a sentence in another language than English gives them. */
export const COMMAND_SECRET_RULES: readonly SecretRule[] = [
  command(
    'curl',
    `\\bcurl${OPTIONS}(?:-[a-zA-Z]{0,5}[uU]|--user|--proxy-user)[ =]{0,2}["']?[^\\s:"'$]{1,80}:(?<secret>${VALUE}{3,200})`,
  ),
  command('sshpass', `\\bsshpass\\s{1,3}(?:-v\\s{1,3})?-p\\s{0,3}${GIVEN}`),
  command(
    'login',
    `\\b(?:docker|podman|nerdctl|buildah|skopeo|oras|registry)\\s{1,3}login${OPTIONS}-p[ =]?${GIVEN}`,
  ),
  command('mysql', `\\bmysql\\w{0,12}${OPTIONS}-p${GIVEN}`),
  command('mariadb', `\\bmariadb(?:-\\w{1,12})?${OPTIONS}-p${GIVEN}`),
  command('redis-cli', `\\bredis-cli${OPTIONS}-a\\s{1,3}${GIVEN}`),
  command('zip', `\\b(?:un)?zip${OPTIONS}-P\\s{0,2}${GIVEN}`),
  command('7z', `\\b7z[ar]?${OPTIONS}-p${GIVEN}`),
  command('pass:', `-pass(?:in|out)?[ =]{1,2}["']?pass:(?<secret>${VALUE}{3,200})`),
  command(
    '%',
    `\\b(?:smbclient|rpcclient|smbmap|net rpc)${OPTIONS}(?:-U|--user)[ =]{0,2}["']?[^\\s%"']{1,80}%(?<secret>${VALUE}{3,200})`,
  ),
  command(
    'machine',
    `\\bmachine\\s{1,4}\\S{1,200}\\s{1,8}login\\s{1,4}\\S{1,200}\\s{1,8}password\\s{1,4}${GIVEN}`,
  ),
  command('ansible_', `\\bansible_(?:\\w{1,20}_)?pass(?:word)?\\s{0,3}[:=]\\s{0,3}${GIVEN}`),
  {
    ...command(
      'sudo',
      `\\b(?:echo|printf)\\s{1,3}(?:-\\w{1,3}\\s{1,3})?(?:["']%s(?:\\\\n)?["']\\s{1,3})?${GIVEN}["']?\\s{0,3}\\|\\s{0,3}(?:sudo\\s{1,3}(?:-\\w{1,10}\\s{1,3}){0,3}-\\w{0,5}S\\b|[^\\n|]{1,120}--password-stdin)`,
    ),
    hints: ['sudo', '--password-stdin'],
  },
  {
    rule: 'command-password',
    hints: ['--pass'],
    pattern: new RegExp(`--(?:password|passwd|passphrase|pass)(?:=|\\s{1,2})${GIVEN}`, 'gi'),
    accepts: (secret, before) => (/[="']$/.test(before) ? isGivenPassword(secret) : isUnlikeWord(secret)),
  },
  {
    // A plain word is one only where the command ends or goes on with an option.
    rule: 'command-password',
    hints: ['--pass'],
    pattern:
      /--(?:password|passwd|passphrase|pass)\s{1,2}(?<secret>[A-Za-z_-]{4,60})(?=[ \t]{0,3}(?:$|[|;&"'`]|-))/gim,
    accepts: (secret) => isGivenPassword(secret) && !PROSE.test(secret),
  },
  {
    rule: 'command-password',
    hints: ['</pass', '</secret', '</apikey'],
    pattern: /<(password|passwd|passphrase|secret|apiKey)>\s{0,4}(?<secret>[^<>\s]{3,200})\s{0,4}<\/\1>/gi,
    accepts: isGivenPassword,
  },
  {
    rule: 'assignment',
    hints: ['mot de passe', 'contraseña', 'passwort', 'kennwort', 'senha'],
    pattern:
      /(?:mot de passe|contraseña|passwort|kennwort|senha)\s{0,2}(?:(?:est|es|ist|lautet|é)\s{1,2}|[:=]\s{0,2})["'«“„`]?\s?(?<secret>[!-&(-+.-~]{4,200})/gi,
    accepts: isUnlikeWord,
  },
  {
    rule: 'assignment',
    hints: ['пароль', '密码', '密碼', '口令', 'パスワード', '비밀번호'],
    pattern:
      /(?:пароль|密码|密碼|口令|パスワード|비밀번호)\s{0,2}(?:[:：=—-]|是|为|為|は|это)\s{0,2}["'«“「`]?(?<secret>[!-&(-+.-~]{4,200})/gi,
    accepts: isGivenPassword,
  },
];
