import { allMatches } from '../../text/matches.ts';
import { isKnownIndex } from './known-indexes.ts';
import { fetchesKnownInstaller } from './known-installers.ts';
import type { WordHit } from './words/word-scan.ts';

/** Files that hold what lets somebody in. */
const SECRET_FILE =
  '(?:\\.ssh\\b(?!\\/(?:config|known_hosts|authorized_keys)\\b|\\/\\S{0,60}\\.pub\\b)|\\bid_(?:rsa|ed25519|ecdsa|dsa)\\b(?!\\.pub)|\\.aws\\b(?!\\/config\\b)(?:\\/credentials)?|\\.netrc\\b|_netrc\\b|\\.npmrc\\b|\\.pypirc\\b|\\.pgpass\\b|\\.my\\.cnf\\b|\\.git-credentials\\b|\\/etc\\/(?:shadow|passwd)\\b|\\.kube\\/config\\b|\\.docker\\/config\\.json|\\.gnupg\\b|login\\.keychain|\\bkeychain-db\\b|cookies\\.sqlite|\\bLogin Data\\b|\\blogins\\.json\\b|\\bwallet\\.dat\\b|\\.config\\/gcloud\\b|\\.azure\\/|application_default_credentials|\\bhosts\\.yml\\b|\\.config\\/gh\\b|\\bservice[-_]account\\S{0,20}\\.json|\\.vault-token\\b|\\.terraformrc\\b|\\bprintenv\\b|\\bprocess\\.env\\b(?![.\\[])|\\bos\\.environ\\b(?![.\\[]))';

const URL = /\b(?:https?|ftp):\/\/[^\s"'<>`\])}，。、；！？「」『』（）【】《》“”]{3,300}/gi;
/** This machine, or an address that stands for any. */
const INSIDE =
  /^\w+:\/\/(?:[^/]*@)?(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|(?:[\w-]+\.)*example\.(?:com|org|net)\b|your|my[-.]|[\w-]+\.local\b)/i;
const PROGRAM =
  /\.(?:sh|bash|py|pl|rb|ps1|exe|msi|bat|cmd|scr|vbs|jar|dmg|pkg|appimage|run|bin|elf)[.,;:]?$/i;
/** Where anyone may put a text under an address of his own. */
const ANYONES =
  /^\w+:\/\/(?:www\.)?(?:pastebin\.com|paste\.ee|rentry\.co|gist\.github(?:usercontent)?\.com|transfer\.sh|file\.io|bit\.ly|tinyurl\.com|hastebin\.com|0x0\.st)\//i;
/** What an address is good for; the rest of the signs are patterns. */
const URL_KINDS = {
  // An official installer is fetched; nothing can be sent to it.
  url: (url: string) => isOutside(url),
  'program-url': (url: string) => isOutside(url) && (PROGRAM.test(url) || ANYONES.test(url)),
  'strange-url': (url: string) => !INSIDE.test(url) && !isKnownIndex(url),
  'plain-url': (url: string) => /^http:/i.test(url) && !INSIDE.test(url),
} as const satisfies Record<string, (url: string) => boolean>;

function isOutside(url: string): boolean {
  return !INSIDE.test(url) && !fetchesKnownInstaller(url);
}

/** What is the same in every language: places, addresses, numbers. One linear pass each on folded text. */
const SIGNS = {
  'secret-file': new RegExp(SECRET_FILE, 'gi'),
  // What secrets are called in a program's settings.
  'secret-name':
    /(?<![\w.])\.env\b(?!\.(?:example|sample|template|dist))(?:\.[a-z]{2,12}\b)?|\b[A-Z][A-Z0-9_]{0,40}_(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)\b/g,
  mail: /(?<![\w.+-])[\w.+-]{1,60}@(?!example\.)[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,4}\b/gi,
  ip: /(?<![\w.:])(?!(?:10|127|0|255)\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)(?:\d{1,3}\.){3}\d{1,3}(?!\/\d\d\b)(?!\w|\.\w)/g,
  'shell-start':
    /(?:~|\$\{?HOME\}?|%USERPROFILE%)?[/\\]?\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|config\/fish\/config\.fish)\b|\/etc\/(?:profile|rc\.local|crontab|cron\.\w{1,8})\b|\bcrontab\b|Library\/Launch(?:Agents|Daemons)\b|\.config\/autostart\b|systemd\/(?:user|system)\b|\$PROFILE\b|CurrentVersion\\+Run\b/gi,
  'memory-file':
    /\b(?:CLAUDE|AGENTS|GEMINI|MEMORY|SOUL|COPILOT)(?:\.local|\.override)?\.md\b|\.cursorrules\b|\.windsurfrules\b|\.clinerules\b|copilot-instructions(?:\.md)?|\.cursor\/rules\b/gi,
  'key-file': /\bauthorized_keys\b|\bsudoers\b/gi,
  account:
    /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b|\b(?:bc1[a-z0-9]{20,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[0-9a-fA-F]{40}|[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}|T[1-9A-HJ-NP-Za-km-z]{33})\b|(?<![\d.-])\d{20}(?!\d|\.\d)|(?<![\d.-])\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{3,4}(?:[ -]?\d{1,4})?\b/g,
  pool: /\bstratum\+(?:tcp|ssl):\/\/|\bxmrig\b|\bminerd\b|\bcpuminer\b/gi,
  'public-key-text': /\bssh-(?:rsa|ed25519|dss) AAAA[\w+/=]{8,}/g,
  // A name to be asked for, of which one label is to be filled in.
  'filled-name':
    /(?:<[^<>\n]{1,60}>|\$\([^()\n]{1,120}\)|\{[^{}\n]{1,60}\}|\$\{?\w{1,40}\}?)\.(?:[\w-]{1,60}\.){1,4}[a-z]{2,12}\b/gi,
  // The same with a command in it that reads or encodes.
  'asked-name':
    /\$\([^()\n]{0,80}\b(?:cat|base64|base32|printenv|env|xxd|whoami|hostname)\b[^()\n]{0,80}\)\.(?:[\w-]{1,60}\.){1,4}[a-z]{2,12}\b/gi,
  'filled-image': /!\[[^\]\n]{0,200}\]\(\s?<?https?:\/\/|<img\b[^<>\n]{0,200}?\bsrc ?=/gi,
} as const satisfies Record<string, RegExp>;

export type Sign = keyof typeof SIGNS | keyof typeof URL_KINDS;

const NO_LANGUAGE: ReadonlySet<string> = new Set();

/** Every sign of a folded text, each kind in the order of the text. */
export function scanSigns(text: string): Map<Sign, WordHit[]> {
  const found = new Map<Sign, WordHit[]>();
  for (const [name, pattern] of Object.entries(SIGNS) as [Sign, RegExp][])
    found.set(name, hitsOf(text, pattern));
  const urls = hitsOf(text, URL);
  for (const [name, is] of Object.entries(URL_KINDS) as [Sign, (url: string) => boolean][])
    found.set(
      name,
      urls.filter(({ start, end }) => is(text.slice(start, end))),
    );
  return found;
}

function hitsOf(text: string, pattern: RegExp): WordHit[] {
  return allMatches(text, pattern).map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    languages: NO_LANGUAGE,
  }));
}
