import type { Severity } from '../check.ts';
import type { MarkdownLine } from '../markdown.ts';
import { isAccountNumber, isCardNumber } from './account-numbers.ts';

/** One shape of what belongs to a single case. */
export interface ScopeRule {
  readonly rule: string;
  readonly severity: Severity;
  /** `prose`: quoted words, inline code and code blocks are examples and do not count. */
  readonly where: 'prose' | 'anywhere';
  /** Severity inside code or quotes, where an example is likely. */
  readonly inCode?: Severity;
  /** Global. */
  readonly pattern: RegExp;
  readonly message: string;
  readonly accepts?: (match: string, before: string, line: MarkdownLine) => boolean;
}

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)';
const NARRATOR = '(?:we|i|the (?:user|assistant|agent|customer|client|team))';
const PAST =
  '(?:fixed|tried|found|discovered|noticed|ran|hit|encountered|spent|solved|debugged|changed|learned|learnt|realized|realised|asked|told|said|wanted|had|ended|got|saw|switched|reverted|corrected|complained|confirmed|failed|installed|wasted)';
/** What happened, as against a span of time that a report covers. */
const EVENT = `(?:${PAST.slice(3, -1)}|was|were|broke|crashed|happened|stopped|started|worked|wurde|war|fue|falló)`;
const RECENTLY =
  '(?:yesterday|earlier today|this morning|last (?:night|week|month|monday|tuesday|wednesday|thursday|friday)|gestern|ayer)';
/** What stands before a number without being the key of a tracker: standards, error codes, products, quarters. */
const STANDARDS = new Set(
  'UTF ISO SHA RFC AES RSA HTTP GPT BM PEP IEEE EN IEC CVE CWE ES ECMA MD ANSI DIN ASCII BASE CP WINDOWS LATIN KOI GB COVID UTC GMT ED HS RS PS X P SOC GDPR PCI NIST WCAG TLS SSL CRC INT FLOAT UINT MPEG USB PM VT XTERM T F S G H A B C ORA PLS TNS ERR E W Q FY KW CW JSR BCP UAX UTS UTR TR ADR KB FIPS NF ITU CAPEC OWASP RTX GTX DDR IFRS IAS ASC HIPAA USD EUR GBP CHF JPY ERC EIP BIP SLIP CAIP BEP TRC PSR JEP KEP XEP ISBN EAN UPC ICD DSM EPSG WGS HL KECCAK BLAKE SECP HMAC PBKDF UCS SQL MIL MISRA DO EIA CEA SMPTE ASTM ASME NFPA JIS SAE RAL SARS MERS CIFAR VGG RESNET TOP'.split(
    ' ',
  ),
);
const PLACEHOLDER_TICKETS = new Set(
  'ABC PROJ PROJECT JIRA TICKET ISSUE XXX KEY FOO BAR TASK BUG ID EXAMPLE TEST DEV TEAM APP ENG XYZ'.split(
    ' ',
  ),
);
const PLACEHOLDER_NUMBER = /^(?:0+|1+|12|123|1234|12345|123456|42|999+|x+|n+)$/i;
const PLACEHOLDER_HOME =
  'user(?:name)?\\b|you\\b|yourname\\b|your[-_]|me\\b|name\\b|someone\\b|alice\\b|bob\\b|node\\b|ubuntu\\b|runner\\b|vscode\\b|shared\\b|public\\b|default\\b|<|\\$|\\{|\\[|\\*|%|\\.\\.\\.|xxx|linuxbrew\\b|example|foo\\b|app\\b|dev\\b|git\\b|pi\\b|jovyan\\b|coder\\b|codespace\\b';

/** Narratives, dates, tickets, paths, hashes: one row a shape. */
export const SCOPE_RULES: readonly ScopeRule[] = [
  {
    rule: 'one-off-narrative',
    severity: 'refuse',
    where: 'prose',
    message: 'tells what happened once instead of what to do',
    pattern: new RegExp(
      [
        `\\b(?:in|during) (?:this|the|our|that|a|an|one) (?:(?:previous|last|earlier|recent|current) )?(?:session|conversation|run|chat),? ${NARRATOR} ${PAST}\\b`,
        `(?<!\\b(?:if|when|whenever|what|whether|unless|until|that|than|whatever|which|once|after|as|where|because|how|everything|anything|something|assumptions?|options?|thing|way) )\\b(?:we|I) (?:first |then |also |finally |just |had |have )?${PAST}\\b(?! to be)`,
        `(?<!\\b(?:if|when|whenever|what|whether|unless|until|that|than|whatever|which|once|after|as|where|because|how|everything|anything|something) )\\bthe (?:user|customer|client) (?:then |later |first )?(?:asked|told|said|corrected|complained|confirmed|insisted)\\b`,
        '\\bwhen (?:we|I) (?:first )?(?:tried|ran|used|switched|changed|fixed|installed|upgraded)\\b',
        `\\b${EVENT}\\b[^.!?\\n]{0,60}?\\b${RECENTLY}\\b(?!['’]s)`,
        `\\b${RECENTLY},? (?:it|this|that|they|we|I|the [\\p{L}\\p{N} -]{1,40}?|our [\\p{L}\\p{N} -]{1,40}?) (?:had |has |have )?${EVENT}\\b`,
        `\\b(?:in|während) (?:dieser|der letzten) (?:sitzung|unterhaltung)\\b|\\bhaben (?:wir|ich) (?:heute|gestern)\\b|\\bder (?:nutzer|benutzer|anwender|kunde) (?:sagte|bat|fragte|wollte|korrigierte)\\b|\\ben esta (?:sesión|conversación)\\b|\\bel (?:usuario|cliente) (?:pidió|dijo|corrigió)\\b|在(?:这次|本次)(?:会话|对话)中`,
        '\\bthis (?:particular |specific )?(?:session|conversation|incident) (?:showed|taught|was|proved)\\b',
      ].join('|'),
      'giu',
    ),
    accepts: (_, before) => !/\b(?:if|whenever|unless|whether)\b[^.!?]*$/i.test(before),
  },
  {
    rule: 'date',
    severity: 'refuse',
    where: 'anywhere',
    inCode: 'note',
    message: 'holds a date, which ages',
    pattern: new RegExp(
      `\\b20\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])\\b|\\b${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? 20\\d\\d\\b|\\b\\d{1,2}(?:st|nd|rd|th|\\.)? ${MONTH}\\.?,? 20\\d\\d\\b|\\b\\d{1,2}[./]\\d{1,2}[./]20\\d\\d\\b|20\\d\\d年\\d{1,2}月\\d{1,2}日`,
      'giu',
    ),
    accepts: (_, before, line) =>
      !line.front &&
      !/(?:version|api|spec|revision|released?|rfc|iso|format|pattern|e\.g\.|for example|example|such as|like|schema|since|until|draft|protocol|standard|deprecated|model)\W{0,3}(?:\w+\W+){0,3}$|\bas ["'`(]?$/i.test(
        before,
      ) &&
      !/\|.*\||->|→|=>|becomes|means|reads as|iso[- ]?8601|yyyy|%Y/i.test(line.text),
  },
  {
    rule: 'ticket',
    severity: 'refuse',
    where: 'anywhere',
    inCode: 'warn',
    message: 'names a ticket that other readers do not have',
    pattern: /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{2,6}\b(?![-\w]|\.\w)/g,
    accepts: (match) => {
      const [project = '', number = ''] = match.split('-');
      return (
        !STANDARDS.has(project) &&
        !STANDARDS.has(project.replace(/\d+$/, '')) &&
        !PLACEHOLDER_TICKETS.has(project) &&
        !PLACEHOLDER_NUMBER.test(number)
      );
    },
  },
  {
    rule: 'ticket',
    severity: 'refuse',
    where: 'anywhere',
    inCode: 'warn',
    message: 'names a ticket that other readers do not have',
    pattern:
      /\b(?:issue|pr|ticket|pull request|merge request)s?\s+(?:no\.?\s*|number\s+)?#?\d{2,7}\b|\b(?:bug|mr|case|incident|story)s?\s+(?:(?:no\.?\s*|number\s+)#?\d{2,7}|#\d{2,7}|\d{4,7})\b|(?<=\b(?:fixes|closes|see|in|of|from)\s)#\d{2,6}\b/gi,
    accepts: (match) => !PLACEHOLDER_NUMBER.test(/\d+$/.exec(match)?.[0] ?? ''),
  },
  {
    rule: 'personal-path',
    severity: 'refuse',
    where: 'anywhere',
    message: 'holds a path of one machine',
    pattern: new RegExp(
      `(?:(?<![\\w.:/-])|(?<=\\bfile://))(?:/home|/Users)/(?!${PLACEHOLDER_HOME})[\\p{L}\\p{N}._-]+|\\b[A-Za-z]:[\\\\/]{1,2}Users[\\\\/]{1,2}(?!${PLACEHOLDER_HOME})[\\p{L}\\p{N}._-]+`,
      'giu',
    ),
  },
  {
    rule: 'bank-account',
    severity: 'refuse',
    where: 'anywhere',
    message: 'holds the number of an account',
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    accepts: isAccountNumber,
  },
  {
    rule: 'card-number',
    severity: 'refuse',
    where: 'anywhere',
    message: 'holds the number of a card',
    pattern: /(?<![\w.-])(?:[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{4})(?![\w-]|\.\d)/g,
    accepts: isCardNumber,
  },
  {
    rule: 'commit-hash',
    severity: 'refuse',
    where: 'anywhere',
    inCode: 'warn',
    message: 'names a commit that other readers do not have',
    pattern: /(?<![\w@/=:.-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w-])/g,
    accepts: (match, before) =>
      (match.length === 40 ||
        /\b(?:commit|sha|revision|hash|head|at|rev|since|in|reverted?)\W{1,3}$/i.test(before)) &&
      !/^(?:a1b2c3d|abc1234|abcdef|deadbeef|1234abc|0123456|cafebabe|abc123)/.test(match),
  },
  {
    rule: 'redacted-value',
    severity: 'refuse',
    where: 'anywhere',
    message: 'holds what is left of a redacted value',
    pattern: /\[REDACTED:[\w-]+:\d+\]/g,
  },
];
