import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { Problem } from '../errors.ts';

/** A value of the front matter: every scalar is its source text, so that `1.10`, `yes` and `~` stay as written. */
export type YamlValue = string | readonly YamlValue[] | YamlMapping;
export interface YamlMapping {
  readonly [key: string]: YamlValue;
}

export type MappingReading =
  | {
      readonly kind: 'mapping';
      readonly value: YamlMapping;
      readonly problems: readonly Problem[] /** What the strict dialect of the specification does not take, such as flow style. */;
      readonly strict: readonly Problem[];
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

const DANGEROUS = new Set(['__proto__', 'constructor', 'prototype']);
const MOST_ALIASES = 20;
const DEEPEST = 64;

/**
 * Reads YAML as a mapping of texts. Any parse error refuses the whole: partial values of a broken document are
 * wrong values. `firstLine` is the file's line of the first line of `source`.
 */
export function readMapping(source: string, firstLine = 1): MappingReading {
  const lines = new LineCounter();
  const refuse = (rule: string, message: string, offset = 0): MappingReading => ({
    kind: 'refused',
    problem: {
      rule,
      severity: 'error',
      message,
      line: firstLine - 1 + Math.max(1, lines.linePos(offset).line),
    },
  });
  try {
    const problems: Problem[] = [];
    let document = parse(source, lines, true);
    if (document.errors.length > 0 && document.errors.every((error) => error.code === 'DUPLICATE_KEY')) {
      problems.push(
        ...document.errors.map((error) =>
          problemAt(
            'duplicate-key',
            'a key stands twice; the last one counts',
            lines,
            error.pos[0],
            firstLine,
          ),
        ),
      );
      document = parse(source, new LineCounter(), false);
    }
    const [error] = document.errors;
    if (error !== undefined)
      return refuse(
        'yaml',
        `line ${firstLine - 1 + lines.linePos(error.pos[0]).line}: ${firstSentence(error.message)}`,
        error.pos[0],
      );
    if (!isMap(document.contents)) return refuse('not-a-mapping', 'front matter must be key: value pairs');
    problems.push(
      ...document.warnings.map((warning) =>
        problemAt('yaml-warning', firstSentence(warning.message), lines, warning.pos[0], firstLine),
      ),
    );
    const strict = strictFindings(document, lines, firstLine);
    problems.push(...cutByComment(document, lines, firstLine));
    const value = plain(
      document.toJS({ maxAliasCount: MOST_ALIASES, mapAsMap: true }),
      problems,
      firstLine,
      0,
    );
    if (typeof value === 'string' || Array.isArray(value))
      return refuse('not-a-mapping', 'front matter must be key: value pairs');
    return {
      kind: 'mapping',
      value: value as YamlMapping,
      problems,
      strict: [...strict, ...problems.filter((problem) => problem.rule === 'duplicate-key')],
    };
  } catch (error) {
    if (error instanceof ReferenceError)
      return refuse('yaml-aliases', 'too many YAML aliases, or one without an anchor');
    if (error instanceof RangeError) return refuse('yaml', 'line 1: nested too deeply to be read');
    throw error;
  }
}

function parse(source: string, lineCounter: LineCounter, uniqueKeys: boolean): Document.Parsed {
  return parseDocument(`${source}\n`, {
    schema: 'failsafe',
    uniqueKeys,
    merge: false,
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
  });
}

/** Maps, lists and texts only, without the keys that reach into objects. */
function plain(value: unknown, problems: Problem[], line: number, depth: number): YamlValue {
  if (depth > DEEPEST) throw new RangeError('too deep');
  if (Array.isArray(value)) return value.map((item) => plain(item, problems, line, depth + 1));
  if (!(value instanceof Map)) return value === null || value === undefined ? '' : String(value);
  const mapping: Record<string, YamlValue> = Object.create(null) as Record<string, YamlValue>;
  for (const [key, item] of value) {
    const name = typeof key === 'string' ? key : JSON.stringify(key);
    if (DANGEROUS.has(name))
      problems.push({
        rule: 'dangerous-key',
        severity: 'warning',
        message: `the key ${name} is ignored`,
        line,
      });
    else mapping[name] = plain(item, problems, line, depth + 1);
  }
  return mapping;
}

function strictFindings(document: Document.Parsed, lines: LineCounter, firstLine: number): Problem[] {
  const found = new Map<string, Problem>();
  const note = (what: string, offset: number) => {
    if (!found.has(what))
      found.set(
        what,
        problemAt(
          'yaml-dialect',
          `${what} is not part of the specification's YAML; other readers may refuse it`,
          lines,
          offset,
          firstLine,
          'info',
        ),
      );
  };
  visit(document, {
    Node: (_, node) => {
      const offset = node.range?.[0] ?? 0;
      if (isCollection(node) && node.flow === true) note('flow style ([…] or {…})', offset);
      if (isAlias(node)) note('an alias', offset);
      if (!isAlias(node) && 'anchor' in node && node.anchor) note('an anchor', offset);
      if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:')) note('a tag', offset);
    },
  });
  return [...found.values()];
}

/** A plain description is cut at ` #`, which its author seldom meant. */
function cutByComment(document: Document.Parsed, lines: LineCounter, firstLine: number): Problem[] {
  const node = isMap(document.contents) ? document.contents.get('description', true) : undefined;
  if (!isScalar(node) || node.type !== 'PLAIN' || !node.comment) return [];
  return [
    problemAt(
      'comment-in-value',
      'the description ends at " #", as YAML reads a comment there; quote it if that is text',
      lines,
      node.range?.[0] ?? 0,
      firstLine,
    ),
  ];
}

function problemAt(
  rule: string,
  message: string,
  lines: LineCounter,
  offset: number,
  firstLine: number,
  severity: Problem['severity'] = 'warning',
): Problem {
  return { rule, severity, message, line: firstLine - 1 + Math.max(1, lines.linePos(offset).line) };
}

function firstSentence(message: string): string {
  return (message.split('\n')[0] ?? message).slice(0, 200);
}
