import { isKnownIndex } from './known-indexes.ts';
import type { PhraseRule } from './phrase-scan.ts';

const rule = (
  name: string,
  severity: PhraseRule['severity'],
  message: string,
  ...patterns: readonly RegExp[]
): PhraseRule[] =>
  patterns.map((pattern) => ({ rule: name, severity, message, pattern, negation: 'sentence' }));

const SHELL = '(?:/\\w+(?:/\\w+)?/)?(?:(?:ba|z|da|k)?sh|cmd(?:\\.exe)?|powershell(?:\\.exe)?)\\b';
const HOME = '["\']?(?:~|\\$\\{?HOME\\}?|\\$env:USERPROFILE|/root|/home/[\\w$<{}>-]+)["\']?';
const RC_FILE = `${HOME}/\\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|config/fish/config\\.fish)`;
const INTO = '(?:>>?|\\btee (?:-a |--append )?)\\s?';
/** Programs that see passwords and keys. */
const GUARDED = '(?:sudo|doas|su|ssh|scp|sftp|gpg|passwd|login)';
/** What a line of a shell's start or of a crontab has no honest reason for. */
const COVERT = '(?:\\b(?:curl|wget|nc|ncat|base64)\\b|/tmp/|/dev/(?:shm|tcp)/|@reboot)';
const COVERT_IN_CRON = `(?:${COVERT}|/\\.(?!local/bin|config/|venv/)\\w)`;
const SAID = '(?:\\becho|\\bprintf)\\b(?:(?!\\b(?:echo|printf)\\b|&&|;)[^\\n])';
const HOME_IN_CODE =
  '(?:os\\.path\\.expanduser\\(\\s?["\']~/?["\']\\s?\\)|(?:pathlib\\.)?Path\\.home\\(\\)|Path\\(["\']~["\']\\)\\.expanduser\\(\\)|os\\.environ\\[["\']HOME["\']\\]|(?:os\\.)?homedir\\(\\)|process\\.env\\.HOME|Dir\\.home|ENV\\[["\']HOME["\']\\]|\\$ENV\\{HOME\\}|getenv\\(["\']HOME["\']\\)|["\'](?:/|~/?|C:\\\\+)["\'])';

/** Commands that open a shell to elsewhere, stay on the machine, wipe it or run what a stranger serves. */
export const SHELL_RULES: readonly PhraseRule[] = [
  ...rule(
    'reverse-shell',
    'refuse',
    'it gives somebody elsewhere a shell on this machine',
    /\b(?:ba|z|da|k)?sh -\w*i\b[^\n;]{0,60}?\/dev\/(?:tcp|udp)\//gi,
    /\bmk(?:fifo|nod)\b[^\n]{0,200}?\|\s?(?:sudo )?(?:nc|ncat|netcat|socat|telnet|openssl s_client)\b/gi,
    new RegExp(
      `\\b(?:nc|ncat|netcat)(?:\\.exe|\\.traditional)?\\b[^\\n|;]{0,80}? (?:-\\w*[ec]|--exec|--sh-exec)[ =]["']?${SHELL}`,
      'gi',
    ),
    new RegExp(`\\bsocat\\b[^\\n]{0,160}?\\b(?:exec|system):["']{0,2}${SHELL}`, 'gi'),
    new RegExp(`\\b(?:nc|ncat|telnet)\\b[^\\n|;]{3,80}\\|\\s?${SHELL}\\s?\\|\\s?(?:nc|ncat|telnet)\\b`, 'gi'),
    /\bsocket\b[^\n]{0,300}?\.connect\([^\n]{0,300}?(?:\bdup2\(|\bpty\.spawn\(|\bsubprocess\.\w+\(\s?\[?["'](?:\/bin\/)?(?:ba)?sh\b)/gi,
    /\buse (?:IO::)?Socket\b[^\n]{0,500}?\b(?:exec|system)\b[ ({]{0,3}["']\/bin\/(?:ba)?sh\b/gi,
    /\bfsockopen\([^\n]{0,200}?\b(?:exec|shell_exec|system|passthru|popen|proc_open)\(\s?["'](?:\/bin\/)?(?:ba)?sh\b/gi,
    /\bTCPSocket\.(?:new|open)\([^\n]{0,200}?(?:\b(?:exec|spawn|popen|system)\b|%x|`)/g,
    /\b(?:spawn|exec)\(\s?["'](?:\/bin\/)?(?:ba)?sh["'][^\n]{0,300}?\.connect\([^\n]{0,300}?\.pipe\(/gi,
    /\bnet\.(?:connect|createConnection|Socket)\([^\n]{0,300}?\b(?:spawn|exec)\(\s?["'](?:\/bin\/)?(?:ba)?sh["']/gi,
    /\bSockets\.TCPClient\([^\n]{0,600}?\b(?:iex|invoke-expression)\b/gi,
  ),
  ...rule(
    'download-and-run',
    'refuse',
    'it runs what it has just fetched or decoded, unseen',
    /\b(?:eval|exec|instance_eval|class_eval|Function|compile|runIn\w{1,12}Context)\b\s?[({]?\s?[^\n;]{0,40}?(?:\bURI\.(?:open|parse)\b|\bNet::HTTP\.get|\bopen\(\s?["']https?:|\b(?:file_get_contents|curl_exec)\(|\bget\(\s?["']https?:|\bawait fetch\(|\bfetch\(\s?["'`]https?:|\b(?:requests|httpx)\.get\(|\burlopen\(|\baxios\.get\()/g,
    /\b(?:include|require)(?:_once)?\b[ (]{0,2}["']https?:\/\//g,
    /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}? -e(?:nc|ncodedcommand|c)? ["']?[A-Za-z0-9+/=.$]{4,}/gi,
    /\bfetch\(\s?["'`]https?:[^\n;]{0,200}?\.then\(\s?(?:eval|Function)\b|\bfetch\(\s?["'`]https?:[^\n;]{0,200}?\beval\(/g,
    /\b(?:mshta|regsvr32)(?:\.exe)?\b[^\n]{0,80}?https?:\/\//gi,
  ),
  ...rule(
    'download-and-run',
    'ask',
    'it fetches or starts a program where nobody sees it',
    /\bcertutil(?:\.exe)?\b[^\n]{0,80}?-urlcache\b[^\n]{0,120}?https?:\/\/|\bbitsadmin(?:\.exe)?\b[^\n]{0,80}?\/transfer\b/gi,
    /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,80}? -w(?:in|indowstyle)? (?:hidden|1\b)/gi,
    /\b(?:npx|bunx|pnpm dlx|yarn dlx|uvx|pipx run)\b[^\n;|&]{0,120}?\bhttps?:\/\/[^\s"']{3,200}\.(?:[cm]?js|ts|py|sh|tgz)\b/gi,
  ),
  {
    rule: 'untrusted-index',
    severity: 'ask',
    message: 'whoever keeps that index decides what is installed',
    pattern:
      /\b(?:pip[\d.]*|uv|poetry|npm|pnpm|yarn|gem|python[\d.]*)\b[^\n;|]{0,120}?(?:(?:--(?:extra-)?index-url|--index|--registry|--source| -i)[ =]|\bset (?:global\.index-url|registry) )["']?https?:\/\/[^\s"'`]{3,200}/gi,
    negation: 'sentence',
    accepts: (match) => (/http:\/\//i.test(match) ? !LOCAL.test(match) : !isKnownIndex(match)),
  },
  ...rule(
    'persistence',
    'ask',
    'it stays on the machine and runs again in other programs',
    /\bgit config (?!--unset)(?:--[\w-]+ )*?--(?:global|system)(?: --(?!unset)[\w-]+)* core\.hooksPath ["']?[^\s"']/gi,
    /\bgit config (?:--[\w-]+ )*core\.hooksPath ["']?(?:\/(?:tmp|var\/tmp|dev\/shm)\/|~\/\.|\$HOME\/\.)/gi,
    /\bgit config (?:--[\w-]+ )*(?:core\.(?:sshCommand|fsmonitor|pager|editor)|credential\.helper|alias\.\w{1,20}) [^\n;]{0,60}?(?:\/tmp\/|\/dev\/shm\/|\b(?:curl|wget|nc) )/gi,
    new RegExp(
      `(?:\\balias ${GUARDED}=(?!["']${GUARDED} ?["'])|\\b${GUARDED} ?\\(\\) ?\\{|\\bfunction ${GUARDED}\\b)[^\\n]{0,200}?${INTO}${RC_FILE}`,
      'gi',
    ),
    new RegExp(
      `${INTO}${RC_FILE}\\b[^\\n]{0,120}?(?:\\balias ${GUARDED}=(?!["']${GUARDED} ?["'])|\\b${GUARDED} ?\\(\\) ?\\{|\\bfunction ${GUARDED}\\b)`,
      'gi',
    ),
    new RegExp(
      `${SAID}{0,200}?(?:\\b(?:LD_PRELOAD|PROMPT_COMMAND|BASH_ENV|DYLD_INSERT_LIBRARIES)=|\\bPATH=["']?/(?:tmp|dev/shm)|${COVERT})(?:(?!\\becho\\b|&&|;)[^\\n]){0,160}?${INTO}(?:${RC_FILE}|/etc/(?:cron[\\w.]{1,8}(?:/[\\w.-]{1,40})?|profile(?:\\.d/[\\w.-]{1,40})?|rc\\.local|ld\\.so\\.preload)\\b)`,
      'gi',
    ),
    new RegExp(
      `${SAID}{0,200}?${COVERT_IN_CRON}[^\\n]{0,160}?\\|\\s?(?:sudo )?crontab(?: -u \\w+)? -(?!\\w)`,
      'gi',
    ),
  ),
  ...rule(
    'disables-safeguard',
    'ask',
    'it lets somebody in',
    /\b(?:cp|mv|install|ln)\b[^\n;|]{1,120}? ["']?(?:~|\$\{?HOME\}?|\/root|\/home\/[\w$<{}>-]+)?\/?\.ssh\/authorized_keys\b/gi,
    /\b(?:open|appendFile(?:Sync)?|writeFile(?:Sync)?|file_put_contents|File\.(?:open|write))\([^\n]{0,120}?authorized_keys["'\s)]{1,4},\s?(?:["'][aw]|[\w"'`])/gi,
  ),
  ...rule(
    'disables-safeguard',
    'refuse',
    'it deletes more than a skill can answer for',
    new RegExp(
      `\\b(?:rmtree|rm_rf|rm_r|remove_dir_all|rmdirSync|rmSync|fs\\.rm|fs\\.rmdir|rimraf|removeSync|remove_tree|remove_entry_secure)\\b\\(?\\s?${HOME_IN_CODE}\\s?(?=[,);]|$)`,
      'g',
    ),
    /\bremove-item\b[^\n;|]{0,60}?(?:-recurse\b|-r\b)[^\n;|]{0,40}? ["']?(?:\$HOME|\$env:USERPROFILE|~|[A-Z]:\\)\\?["']?(?=\s|$|["'`])|\bremove-item ["']?(?:\$HOME|\$env:USERPROFILE|~|[A-Z]:\\)\\?["']? [^\n;|]{0,40}?-r(?:ecurse)?\b|\b(?:rd|rmdir) \/s (?:\/q )?(?:[A-Z]:\\|%USERPROFILE%)(?=\s|$|["'`])/gi,
    /\brm -\w*r\w* [^\n;|&]{0,60}?(?:["']?(?:~|\$\{?HOME\}?)\/(?:Documents|Pictures|Desktop|Downloads|Music|Library|\.\*)\/?["']?(?=\s|$|[*"';&])|--no-preserve-root\b)/gi,
    /\bfind ["'](?:\/|~|\$\{?HOME\}?)\/?["'](?: [^\n|;]{0,120}?)? (?:-delete\b|-exec rm\b)/gi,
    /\b(\w{1,40})=["']?(?:\$\{?HOME\}?|~)\/?["']?(?=[\s;&])[^\n]{0,200}?(?:\brm -\w*r\w* (?:-\w+ )*["']?\$\{?\1\}?["']?(?:\/?["'`]?(?=\s|$|;|&))|\bfind ["']?\$\{?\1\}?["']?(?: [^\n|;]{0,120}?)? (?:-delete\b|-exec rm\b))/gi,
    /\bcd ["']?(?:\/|~|\$\{?HOME\}?)["']? ?(?:&&|;)? ?(?:sudo )?rm -\w*r\w*f?\w* (?:-\w+ )*(?:\.|\.\/|["'`]|$)/gi,
  ),
];

const LOCAL = /https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)\b/i;
