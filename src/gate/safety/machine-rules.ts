import type { PhraseRule } from './phrase-scan.ts';

const rule = (
  name: string,
  message: string,
  pattern: RegExp,
  severity: PhraseRule['severity'] = 'refuse',
): PhraseRule => ({ rule: name, severity, message, pattern, negation: 'sentence' });

const SECRETS =
  '(?:\\.ssh\\b(?!/(?:config|known_hosts)\\b|/\\S*\\.pub\\b)|\\.aws/credentials|\\.gnupg\\b|\\.kube/config|\\.netrc\\b|\\.git-credentials|/etc/shadow)';
const SENDS = '(?:curl|wget|nc|ncat|socat|ssh)\\b';

/** Commands that carry secrets off by way of archives and copies, run what was fetched, open a machine or destroy it. */
export const MACHINE_RULES: readonly PhraseRule[] = [
  rule(
    'exfiltration',
    'it copies secrets to another machine',
    new RegExp(
      `\\b(?:scp|rsync)\\b[^\\n|;&]{0,80}?${SECRETS}/?\\S{0,80} (?:[\\w.-]+@)?[\\w.-]+:(?!//)`,
      'gi',
    ),
  ),
  rule(
    'exfiltration',
    'it sends a file of secrets away',
    new RegExp(
      `\\b(?:send|post|upload|forward|e-?mail|transmit|submit|copy|back ?up)(?:ing|s)?\\b[^\\n]{0,80}?(?:${SECRETS}|\\bid_(?:rsa|ed25519|ecdsa)\\b(?!\\.pub))[^\\n]{0,60}?\\b(?:to|at|via)\\b[^\\n]{0,30}?https?://`,
      'gi',
    ),
  ),
  rule(
    'exfiltration',
    'whoever shows the picture sends what its address is filled with',
    /!\[[^\]\n]{0,200}\]\(\s?<?https?:\/\/[^)\s]{0,300}?[?&][\w.-]{1,40}=[^)\s&]{0,60}?(?:\$?\{|<[A-Za-z]|\[[A-Za-z]|%7B)/gi,
  ),
  rule(
    'exfiltration',
    'it packs secrets and sends them away',
    new RegExp(
      `\\b(?:tar|zip|gzip)\\b[^\\n|;]{0,120}?${SECRETS}[^\\n|;]{0,80}\\|[^\\n;]{0,80}?\\b${SENDS}`,
      'gi',
    ),
  ),
  rule(
    'exfiltration',
    'it copies secrets into a store',
    new RegExp(
      `\\b(?:aws s3 (?:cp|mv|sync)|gsutil (?:-m )?(?:cp|rsync)|gcloud storage cp|az storage blob upload|rclone copy)\\b[^\\n|;]{0,80}?${SECRETS}`,
      'gi',
    ),
  ),
  rule(
    'exfiltration',
    'it opens a connection past every tool that shows it',
    /(?:[<>]&?|\bcat |\bexec \d?)\s?\/dev\/(?:tcp|udp)\/(?!localhost\b|127\.0\.0\.1\b)[\w.$"{-]+\/[\w$"{]+/gi,
    'ask',
  ),
  rule(
    'download-and-run',
    'it runs what it has just fetched or decoded, unseen',
    /\b(\w{1,40})=["']?(?:\$\(|`) ?(?:curl|wget)\b[^\n]{0,300}?[)`]["']?\s?(?:[;\n]|&&)?\s?(?:eval|(?:ba|z|da)?sh -c)\b[ "']{0,3}\$\{?\1\b/gi,
  ),
  rule(
    'download-and-run',
    'it runs what it has just fetched or decoded, unseen',
    /\b(?:curl|wget)\b[^|\n]{0,200}? > ?["']?([\w./~-]{1,100})["']?\s?(?:;|&&)?\s?(?:sudo )?(?:(?:ba|z|da)?sh|source|python[\d.]*|node|perl|ruby|chmod (?:-\w+ )?\S{1,6}) ["']?(?:\.\/)?\1(?![\w.])/gi,
    'ask',
  ),
  rule(
    'disables-safeguard',
    'it lets somebody in',
    /(?:>>?|\btee (?:-a |--append )?)\s?["']?(?:~|\$\{?HOME\}?|\/root|\/home\/[\w$<{}>-]+)?\/?(?:\.ssh\/authorized_keys|\/?etc\/sudoers(?:\.d\/[\w.-]+)?)\b/gi,
    'ask',
  ),
  rule(
    'disables-safeguard',
    'it deletes more than a skill can answer for',
    /\bdd\b[^\n|;]{0,120}?\bof=\/dev\/(?:sd[a-z]|hd[a-z]|nvme\d|vd[a-z]|disk\d|mmcblk\d)|\bmkfs(?:\.\w+)? [^\n|;]{0,60}?\/dev\/(?:sd|hd|nvme|vd)|\bfind (?:\/|~|\$\{?HOME\}?)\/?(?: [^\n|;]{0,120}?)? (?:-delete\b|-exec rm\b)/gi,
  ),
];
