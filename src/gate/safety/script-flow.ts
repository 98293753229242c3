import type { CheckFinding } from '../check.ts';
import { markdownLines } from '../markdown.ts';

/** Code that belongs together: a script, or one fenced block of a page. */
interface Code {
  readonly text: string;
  /** 1-based line of its first line in the file. */
  readonly line: number;
}

const PROSE = /\.(?:md|markdown|mdx|txt|rst)$/i;
const CODE = /\.(?:sh|bash|zsh|fish|py|rb|pl|php|[cm]?[jt]sx?|ps1)$/i;

const SECRET_PLACE =
  /\.ssh\/(?!config\b|known_hosts\b)|\bid_(?:rsa|ed25519|ecdsa)\b(?!\.pub)|\.aws\/credentials|\.netrc\b|\.git-credentials|\.gnupg\b|\.kube\/config|\/etc\/shadow|login\.keychain|cookies\.sqlite|\bLogin Data\b|(?<![\w.])\.env['"`](?!\.example)/i;
const WHOLE_ENVIRONMENT =
  /\b(?:dict\(os\.environ\)|os\.environ\.(?:copy|items)\(\)|json\.dumps\((?:dict\()?os\.environ|JSON\.stringify\(process\.env\)|Object\.entries\(process\.env\)|ENV\.to_h)/;
const READS =
  /\b(?:open|read_text|read_bytes|readFile(?:Sync)?|createReadStream|File\.(?:read|open)|file_get_contents|slurp)\b|\bcat\b|\bbase64\b|<\s*["']?[~$/]/;
const SENDS =
  /\b(?:requests|httpx|session|aiohttp|client)\.(?:post|put|patch|request)\(|\burlopen\(|\burllib\.request\.Request\(|\bhttp\.client\b|\baxios(?:\.(?:post|put|request))?\(|\bfetch\(|\bhttps?\.request\(|\bNet::HTTP\b|\bsocket\.(?:create_connection|socket)\(|\bnet\.(?:connect|createConnection)\(|\bsmtplib\b|\b(?:dig|nslookup|drill|host|ping|getent hosts)\b[^\n|;]{0,60}?(?:\$\{?\w+\}?|\$\([^)\n]{1,80}\))["']?\.[\w$-]|\b(?:gethostbyname|getaddrinfo|resolver\.resolve|dns\.(?:lookup|resolve\w*))\([^\n]{0,60}?(?:\{|\+)|\bcurl\b[^\n]*(?:\s-d\b|--data|\s-F\b|--form|\s-T\b|--upload-file)|\b(?:nc|ncat|socat)\s+\S/;

const ENCODES =
  /\bbase64\b(?! (?:-d|-D|--decode))|\bxxd\b(?! -r)|\bod -|\bhexdump\b|\bb(?:64|32|16)encode\(|\.hex\(\)|\bhexlify\(/;
const ASKS_NAMES =
  /\b(?:dig|nslookup|drill|host)\b[^\n|;]{0,60}?(?:\$\{?\w+\}?|\$\([^)\n]{1,80}\))["']?\.[\w$-]|\b(?:gethostbyname|getaddrinfo|resolver\.resolve|dns\.(?:lookup|resolve\w*))\([^\n]{0,60}?(?:\{|\+)/;
const ANSWER =
  /(?<![\w.])(?:[$@]?(\w{1,40})\s*=\s*|my \$(\w{1,40})\s*=\s*)[^\n=;]{0,80}?(?:\b(?:requests|httpx)\.get\(|\burlopen\(|\bURI\.open\(|\bNet::HTTP\.get|\bfile_get_contents\(\s*["']https?:|\bfetch\(|\baxios\.get\(|\bget\(\s*["']https?:)/g;

/** How a fetched file is named where it is put, by the shapes of fetching. */
const FETCHED: readonly RegExp[] = [
  /\b(?:curl|wget)\b[^\n|;]*?\s(?:-[a-zA-Z]{0,8}o|-[a-zA-Z]{0,8}O|--output|--output-document)[ =]?["']?([\w./~${}-]{1,100})/g,
  /\b(?:curl\b[^\n|;]*?\s(?:-[a-zA-Z]{0,8}O|--remote-name)\b|wget\b)[^\n|;]*?https?:\/\/[^\s"';|]*\/([\w.-]{1,80})(?=["'\s;]|$)/gm,
  /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)\b[^\n|;]*?\s-(?:OutFile|Destination|o)\s+["']?([\w./\\~${}:-]{1,100})/gi,
  /\bcertutil(?:\.exe)?\b[^\n|;]*?https?:\/\/\S+\s+["']?([\w./\\~%:-]{1,100})/gi,
  /\bopen\(\s*["']([\w./~-]{1,100})["'],\s*["']wb?["']\)[^\n]{0,40}\.write\([^\n]{0,80}(?:requests\.get|urlopen|\.content\b)/g,
  /\b(?:curl|wget)\b[^\n|]*?>\s*["']?([\w./~${}-]{1,100})/g,
  /\burlretrieve\([^,\n]{1,200},\s*["']?([\w./~-]{1,100})/g,
];

/**
 * What a program does over several statements and no single line shows: it reads a place of secrets and sends
 * something away, or it fetches a file and runs it. Each is for a person to decide.
 */
export function findScriptFlows(file: string, text: string): CheckFinding[] {
  return codeIn(file, text).flatMap((code) => [
    ...carriesSecretsOff(file, code),
    ...spellsOutInNames(file, code),
    ...runsFetched(file, code),
    ...runsAnswer(file, code),
  ]);
}

function carriesSecretsOff(file: string, { text, line }: Code): CheckFinding[] {
  const place = SECRET_PLACE.exec(text);
  const environment = WHOLE_ENVIRONMENT.exec(text);
  const source = environment ?? (place !== null && READS.test(text) ? place : null);
  const sink = SENDS.exec(text);
  if (source === null || sink === null) return [];
  return [
    finding(file, 'exfiltration', line + lineOf(text, source.index), source[0], {
      message: `reads ${JSON.stringify(source[0])} and sends something away (${JSON.stringify(sink[0])}) in one program`,
    }),
  ];
}

/** Encoded data in the names that are asked of a name server reaches whoever keeps that server. */
function spellsOutInNames(file: string, { text, line }: Code): CheckFinding[] {
  const encoded = ENCODES.exec(text);
  const asked = ASKS_NAMES.exec(text);
  if (encoded === null || asked === null || SECRET_PLACE.test(text)) return [];
  return [
    finding(file, 'exfiltration', line + lineOf(text, asked.index), asked[0], {
      message: `encodes data (${JSON.stringify(encoded[0])}) and asks a name server for it piece by piece (${JSON.stringify(asked[0])})`,
    }),
  ];
}

/** A variable that holds what an address answered, and further down is run. */
function runsAnswer(file: string, { text, line }: Code): CheckFinding[] {
  return [...text.matchAll(ANSWER)].flatMap((match) => {
    const name = escaped(match[1] ?? match[2] ?? '');
    const later = text.slice(match.index + match[0].length);
    const runs = new RegExp(
      `\\b(?:eval|exec|instance_eval|runIn\\w{1,12}Context|Function)\\b\\s*\\(?\\s*[$@]?${name}\\b`,
    ).exec(later);
    if (runs === null) return [];
    return [
      finding(file, 'download-and-run', line + lineOf(text, match.index), name, {
        message: `runs what an address answered (${JSON.stringify(runs[0])}), unseen`,
      }),
    ];
  });
}

function runsFetched(file: string, { text, line }: Code): CheckFinding[] {
  const found = FETCHED.flatMap((pattern) => [...text.matchAll(pattern)]);
  return found.flatMap((match) => {
    const name = match[1] ?? '';
    const later = text.slice(match.index + match[0].length);
    const named = escaped(name.replace(/^\.\//, ''));
    const runs = new RegExp(
      `(?:^|[\\s;&|("'\`\\[])(?:(?:ba|z|da)?sh|source|python[\\d.]*|node|perl|ruby|exec|start|start-process|nohup|setsid|chmod\\s+(?:-\\w+\\s+)?(?:[ugoa]*\\+x|[0-7]{3,4}))["',\\s]+["']?(?:\\./)?${named}(?![\\w.-])|(?:^|[;&|])\\s*(?:(?:sudo|nohup|setsid|env|time|then|do|&)\\s+)*(?:\\.\\s+)?["']?(?:\\./|\\.\\\\)?${named}["']?(?:\\s|;|&|$)`,
      'mi',
    ).exec(later);
    if (runs === null) return [];
    return [
      finding(file, 'download-and-run', line + lineOf(text, match.index), name, {
        message: `fetches ${JSON.stringify(name)} and runs it further down, unseen`,
      }),
    ];
  });
}

function finding(
  file: string,
  rule: string,
  line: number,
  subject: string,
  { message }: { readonly message: string },
): CheckFinding {
  return { rule, severity: 'ask', message, file, line, subject: subject.toLowerCase() };
}

/** A script as a whole, or each fenced block of a page. */
function codeIn(file: string, text: string): Code[] {
  if (CODE.test(file) || (!PROSE.test(file) && text.startsWith('#!'))) return [{ text, line: 1 }];
  if (!PROSE.test(file)) return [];
  const blocks: { line: number; lines: string[] }[] = [];
  let open: { line: number; lines: string[] } | undefined;
  for (const { number, text: lineText, code } of markdownLines(text)) {
    if (!code) open = undefined;
    else {
      if (open === undefined) {
        open = { line: number, lines: [] };
        blocks.push(open);
      }
      open.lines.push(lineText);
    }
  }
  return blocks.map(({ line, lines }) => ({ line, text: lines.join('\n') }));
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
