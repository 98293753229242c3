import { fetchesKnownInstaller } from './known-installers.ts';
import type { PhraseRule } from './phrase-scan.ts';

const command = (
  rule: string,
  severity: PhraseRule['severity'],
  message: string,
  pattern: RegExp,
  accepts?: PhraseRule['accepts'],
): PhraseRule => ({
  rule,
  severity,
  message,
  pattern,
  negation: 'sentence',
  ...(accepts ? { accepts } : {}),
});

const run = (pattern: RegExp, severity: PhraseRule['severity'] = 'refuse') =>
  command(
    'download-and-run',
    severity,
    'it runs what it has just fetched or decoded, unseen',
    pattern,
    (match, _, after) =>
      !readsData(match, after) && !fetchesKnownInstaller(`${match}${after.split('\n', 1)[0]}`),
  );
const exfiltration = (message: string, pattern: RegExp, severity: PhraseRule['severity'] = 'refuse') =>
  command('exfiltration', severity, message, pattern);
const safeguard = (
  severity: PhraseRule['severity'],
  message: string,
  pattern: RegExp,
  accepts?: PhraseRule['accepts'],
) => command('disables-safeguard', severity, message, pattern, accepts);

const SHELL = '(?:sudo (?:-\\w+ )*)?(?:/(?:usr/)?bin/)?(?:env )?(?:ba|z|da|k|fi)?sh\\b';
const RUNNER = `(?:${SHELL}|(?:sudo )?(?:python[\\d.]*|node|perl|ruby|php|osascript|pwsh|powershell|iex|invoke-expression)(?![\\w-]))`;
/** An interpreter that is given its code in another way reads what is piped to it as data. */
const readsData = (match: string, after: string): boolean =>
  /(?:python[\d.]*|node|perl|ruby|php)$/i.test(match) &&
  /^[ \t]+(?:-[a-z]*[mcenp]\b(?!.{0,80}\b(?:exec|eval|system)\()|(?!-)[\w./$~{-]*[\w}])/i.test(after) &&
  !/^[ \t]+(?:-[su]+[ \t]+)?-(?![\w-])/.test(after);
/** Between a file that was fetched and its name again: what runs it or makes it run. */
const RUNS_FILE = `[^|\\n]{0,160}?(?:${SHELL}|\\b(?:python[\\d.]*|node|perl|ruby|source)|\\bchmod (?:-\\w+ )?\\S{1,6}) ["']?(?:\\./)?`;
const SECRET_FILE =
  '(?:\\.ssh/|id_(?:rsa|ed25519|ecdsa)|\\.aws/credentials|\\.netrc|\\.npmrc|\\.git-credentials|/etc/(?:passwd|shadow)|\\.kube/config|(?<![\\w.])\\.env\\b(?!\\.example)|\\.gnupg|login\\.keychain|cookies\\.sqlite)';
const SECRET_VARIABLE = '\\$\\{?[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)[A-Z0-9_]*\\}?';
/** `https` is also a program, and no part of an address. */
const FETCH = '\\b(?:curl|wget|https?(?!:)|xh|invoke-webrequest|iwr|invoke-restmethod|irm)\\b';
const DROP_HOST =
  '(?:webhook\\.site|requestbin|pipedream\\.net|ngrok(?:-free)?\\.(?:io|app|dev)|interact\\.sh|oast\\.|burpcollaborator|transfer\\.sh|pastebin\\.com|rentry\\.co|discord(?:app)?\\.com/api/webhooks|api\\.telegram\\.org/bot)';

/** Commands that run unseen code, take secrets away or switch protection off, in prose, code blocks and scripts. */
export const COMMAND_RULES: readonly PhraseRule[] = [
  run(new RegExp(`${FETCH}[^|;\\n]{0,300}?\\|\\s?(?:[^|;\\n]{1,80}\\|\\s?){0,3}?${RUNNER}`, 'gi')),
  run(
    new RegExp(
      `${FETCH}[^|;\\n]{0,200}?(?:-o|-O|--output|--output-document)[ =]?["']?([\\w./~-]{1,100})(?![\\w./~-])${RUNS_FILE}\\1(?![\\w.])`,
      'gi',
    ),
    'ask',
  ),
  run(
    new RegExp(
      `\\b(?:wget|curl)\\b[^|;\\n]{0,200}?/([\\w.-]{1,80}\\.(?:sh|py|pl|rb|js|ps1))(?![\\w.-])${RUNS_FILE}\\1(?![\\w.])`,
      'gi',
    ),
    'ask',
  ),
  run(
    /\b(?:wget|curl)\b[^|;\n]{0,200}?\/([\w.-]{1,80})(?: -O| --remote-name)?\s?(?:&&|;)\s?(?:sudo )?chmod (?:-\w+ )?\S{1,6} (?:\.\/)?\1(?![\w.])/gi,
    'ask',
  ),
  run(
    new RegExp(`(?:${SHELL}|\\bsource|\\beval|(?<!\\S)\\.) (?:-c )?["']?(?:<\\(|\\$\\(|\`) ?${FETCH}`, 'gi'),
  ),
  run(
    /\b(?:iex|invoke-expression)\b[^|\n]{0,40}?\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b|\bdownloadstring\b[^|\n]{0,120}?\|\s?iex\b/gi,
  ),
  run(
    new RegExp(
      `\\b(?:base64 (?:-d|-D|--decode)|xxd -r(?: -p)?|openssl (?:enc|base64) [^|]{0,60}-d)\\b[^|\\n]{0,80}\\|\\s?${RUNNER}`,
      'gi',
    ),
  ),
  run(
    new RegExp(
      `(?:${SHELL} -c|\\beval|\\bsource) ["']?(?:<\\(|\\$\\(|\`)[^)\\n]{0,200}?\\b(?:base64 (?:-d|-D|--decode)|xxd -r)\\b`,
      'gi',
    ),
  ),
  run(
    /\b(?:eval|exec)\(?\s?(?:\w+\.)?(?:b64decode|base64\.b64decode|atob|frombase64string|Buffer\.from\([^)]{1,200}base64)/gi,
  ),
  run(/\bexec\(\s?(?:requests|urllib\.request|urllib)\.(?:get|urlopen)\(/gi),
  command(
    'download-and-run',
    'refuse',
    'an archive with a password keeps scanners out',
    /\b(?:unzip -P|7z\w? x [^\n]{0,60}-p\w|(?:extract|unzip|unpack|open|decompress)\b[^.!?\n]{0,80}?\b(?:with |using )?(?:the )?(?:pass(?:word|phrase|code)|pwd)\b|(?:zip|rar|7z|archive)\b[^.!?\n]{0,60}?\bpass(?:word|phrase|code)\b(?: is)? ?[:=(]?)/gi,
    (match, line) =>
      !/\bselect\b/i.test(match) &&
      /https?:\/\/|download|extract|unzip|unpack|decompress|\bopen|7z\w? x/i.test(line) &&
      !/passwordless|reset|forgot|\b(?:encrypt|protect|create|choose|set|add)\b/i.test(`${match} ${line}`),
  ),
  command(
    'fake-prerequisite',
    'ask',
    'a skill must not make the reader fetch a program before it starts',
    /\b(?:must|need to|required? to|have to|prerequisites?|first|before (?:you |using|continuing|starting))\b[^.!?\n]{0,120}?\b(?:download|install|run|fetch|get)\b[^!?\n]{0,120}?https?:\/\/\S{1,200}?(?:\.(?:zip|exe|dmg|pkg|msi|ps1|rar|7z|bat|scr)\b|(?:pastebin|rentry|glot|gist)\.)/gi,
  ),
  exfiltration(
    'it sends a file of secrets away',
    new RegExp(
      `${SECRET_FILE}[^\\n|]{0,80}\\|[^\\n]{0,80}?(?:${FETCH}|\\bnc\\b|\\bncat\\b|\\bsocat\\b)`,
      'gi',
    ),
  ),
  exfiltration(
    'it sends a file of secrets away',
    new RegExp(
      `(?:${FETCH}|\\bscp\\b|\\brsync\\b|\\bnc\\b)(?:(?!&&|;)[^\\n|]){0,200}?(?:@|-T |--upload-file |--data-binary |<|-F |scp |rsync |\\$\\((?:cat|base64) )[^\\n|;]{0,60}?${SECRET_FILE}`,
      'gi',
    ),
  ),
  exfiltration(
    'it sends the environment away',
    new RegExp(
      `(?:\\b(?:printenv|env|set)\\b(?: -0)?|\\bexport -p\\b)(?: *\\| *\\w[^|\\n]{0,60})? *\\| *(?:${FETCH}|\\bnc\\b|\\bncat\\b)`,
      'gi',
    ),
  ),
  exfiltration(
    'it sends the environment away',
    new RegExp(`${FETCH}[^\\n;]{0,200}?\\$\\((?:printenv|env|set|cat [^)]{0,80}${SECRET_FILE})`, 'gi'),
  ),
  exfiltration(
    'it sends the environment away',
    /\b(?:post|send|upload|submit|forward|report|transmit)\b[^!?\n]{0,100}?(?:\boutput of [`"']?(?:env|printenv|set|export -p)\b|[`"'](?:env|printenv|export -p)[`"'])[^!?\n]{0,80}?\bhttps?:\/\/(?!localhost\b|127\.0\.0\.1)/gi,
  ),
  exfiltration(
    'it sends a secret in the body of a request',
    new RegExp(
      `${FETCH}(?=[^\\n]{0,400}https?://)(?![^\\n]{0,400}grant_type)(?:(?!\\bcurl )[^\\n;|]){0,300}?(?:-d|--data(?:-\\w+)?|-F|--form|--post-data|-body|--json)[ =]?["'{]{0,3}(?:(?!\\bcurl |-H\\b|--header\\b)[^\\n;|]){0,160}?${SECRET_VARIABLE}`,
      'gi',
    ),
  ),
  exfiltration(
    'it sends a secret in the address of a request',
    new RegExp(`${FETCH}[^\\n;|]{0,120}?https?://[^\\s"']{1,200}?(?:/|\\?|=)${SECRET_VARIABLE}`, 'gi'),
    'ask',
  ),
  exfiltration(
    'it sends a secret in a header that is not for authorisation',
    new RegExp(
      `${FETCH}[^\\n;|]{0,200}?-H ["']?(?!authorization|private-token|proxy-authorization|[\\w-]*(?:api|auth|access|subscription|functions)[\\w-]*(?:key|token)?|[\\w-]*(?:key|token)\\b)[\\w-]{1,40}: ?${SECRET_VARIABLE}`,
      'gi',
    ),
  ),
  exfiltration(
    'it sends secrets away from a program',
    /\b(?:requests\.(?:post|put|get)|fetch|axios\.(?:post|put)|urlopen)\([^\n]{0,200}?(?:os\.environ(?!\[|\.get)|process\.env(?![.[\w])|dict\(os\.environ\))/gi,
  ),
  exfiltration(
    'it sends data to a host that takes anything from anyone',
    new RegExp(`(?:${FETCH}|\\bpost\\(|\\bfetch\\()[^\\n]{0,200}?${DROP_HOST}`, 'gi'),
    'ask',
  ),
  exfiltration(
    'it sends data to a host that takes anything from anyone',
    new RegExp(`(?:(?<![\\w-])(?:-d|--data(?:-\\w+)?|-F)(?=[ ='"@])|\\$\\()[^\\n]{0,200}?${DROP_HOST}`, 'gi'),
  ),
  safeguard(
    'ask',
    'the hook that it skips speaks for somebody',
    /(?:\bgit (?:commit|push|merge|rebase)\b[^\n.]{0,80}?|with |use |pass |add |`)--no-verify\b|\bHUSKY=0\b|\bSKIP=\w+ git commit/gi,
  ),
  safeguard(
    'ask',
    'no hook runs any more',
    /\bcore\.hooksPath["'`]?(?:[ =]+| to )["'`]?(?:\/dev\/null|""|'')/gi,
  ),
  safeguard(
    'ask',
    'the container then owns the machine',
    /\bdocker run\b[^\n|;]{0,200}?(?:--privileged\b|(?:-v|--volume)[ =]\/:\/)/gi,
  ),
  safeguard(
    'refuse',
    'anyone may then change these files',
    /\bchmod (?:-\w+ )*(?:0?777|a\+rwx|ugo\+rwx)\b/gi,
  ),
  safeguard(
    'refuse',
    'nobody then checks whom it talks to',
    /NODE_TLS_REJECT_UNAUTHORIZED["']?\]? ?= ?["']?0|\bverify ?= ?False\b(?:(?<=(?:requests|httpx|aiohttp|https?|ssl|tls|client|session|certificate)\b[^\n]{0,240})|(?=[^\n]{0,120}\b(?:requests|httpx|aiohttp|https?|ssl|tls|certificate)))|rejectUnauthorized["']? ?: ?false|http\.sslVerify["']?[ =]+(?:false|0)|\bGIT_SSL_NO_VERIFY=(?:1|true)|PYTHONHTTPSVERIFY=0|strict-ssl[ =]+false|InsecureSkipVerify ?: ?true|_create_unverified_context|CURLOPT_SSL_VERIFYPEER, ?(?:false|0)|ServerCertificateValidationCallback ?= ?\{ ?\$true/gi,
  ),
  safeguard(
    'ask',
    'nobody then checks whom it talks to',
    /\bcurl\b[^\n|;]{0,120}? (?:-k|--insecure|-[a-zA-Z]*k[a-zA-Z]*)(?= )[^\n|;]{0,200}|\bwget\b[^\n|;]{0,120}?--no-check-certificate|StrictHostKeyChecking[ =]no\b|--trusted-host\b/g,
    (_, line) => !/localhost|127\.0\.0\.1|\[::1\]/.test(line),
  ),
  safeguard(
    'refuse',
    'it switches protection of the machine off',
    /\bsetenforce 0\b|\bufw disable\b|\biptables -F\b|\bspctl --master-disable\b|\bcsrutil disable\b|DisableRealtimeMonitoring|\bdefaultMode["']? ?[:=] ?["'](?:bypassPermissions|dontAsk)\b|--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|(?:\bto|[:=]) ?["'`]?danger-full-access\b|\bSet-ExecutionPolicy (?:-\w+ )*(?:Unrestricted|Bypass)\b|--no-sandbox\b(?=[^\n]*\b(?:codex|claude|agent)\b)/gi,
  ),
  safeguard(
    'ask',
    'nobody then sees what was done',
    /\b(?:set|switch|turn|put) [^.!?\n]{0,40}?\baudit(?:ing|s|[ -]?(?:log\w*|polic\w+|trail))?\b[^.!?\n]{0,40}?\b(?:to [`"']?(?:none|off|false)|off)\b|\b(?:disable|stop|suspend) (?:the )?audit(?:ing|[ -]?(?:log\w*|trail))\b/gi,
  ),
  safeguard('ask', 'the file was marked as not to be trusted', /\bxattr (?:-\w+ )+com\.apple\.quarantine/gi),
  safeguard(
    'refuse',
    'it deletes more than a skill can answer for',
    /\brm -(?:rf|fr|r -f|f -r)\w* (?:--no-preserve-root )?["']?(?:\/|~\/?|\$\{?HOME\}?\/?)(?:\*|["'`]|\s|$)/gi,
  ),
  safeguard(
    'ask',
    'the check that fails then tests nothing',
    /\b(?:skip|disable|comment out|delete|remove) (?:the |all |any |those |these )*(?:failing |broken |flaky |unit |integration |red )*(?:tests\b(?![\w/\\.-]*[\w/\\-]| (?:file|data|database|output|artifact|director|conditionally|temporarily|based on|marked|using|via|on \w+|in \w+|for \w+))|test\b(?= ?(?:[.,;!)]|$|and\b|that\b|which\b|so\b|until\b)))/gi,
    (match, line, after) =>
      /\b(?:the|all|any|those|these|failing|broken|flaky|red)\b/i.test(match) ||
      (!/^\s*(?:#+|\/\/|--|;|\||\/?\*+|["']{3})\s*\S+ tests?\b/i.test(line) &&
        /^["'`*)]*\s?(?:[.,;!]|and\b|to\b|so\b|or\b|when\b|if\b|before\b|after\b|until\b|entirely\b|that\b|which\b)/i.test(
          after,
        )),
  ),
];
