import matter from 'gray-matter';
import type { Problem } from '../errors.ts';
import type { FrontMatterBlock } from './front-matter.ts';
import { refusal } from './refusal.ts';
import { repairBlock } from './repair.ts';
import { type MappingReading, readMapping, type YamlMapping } from './yaml-mapping.ts';

/** The front matter as values, after the repairs that it needed. */
export type FrontMatterReading =
  | {
      readonly kind: 'read';
      readonly value: YamlMapping;
      /** Lines of the keys in the file. */
      readonly lines: ReadonlyMap<string, number>;
      /** The block as it was read: repaired, with as many lines as the file has. */
      readonly source: string;
      readonly problems: readonly Problem[];
      /** Only name and description could be read. */
      readonly salvaged: boolean;
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Characters that no YAML may hold as they are. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Reads a block, and once more after narrow repairs if it does not parse. Never throws. */
export function readFrontMatter(block: FrontMatterBlock): FrontMatterReading {
  const reading = readOrRepair(block);
  const index = block.block.split('\n').findIndex((line) => CONTROL.test(line));
  if (reading.kind === 'refused' || index < 0) return reading;
  const message = 'the front matter holds a control character, which no YAML may; remove it';
  const line = block.blockLine + index;
  const problem: Problem = { rule: 'control-character', severity: 'warning', message, line };
  return { ...reading, problems: [...reading.problems, problem] };
}

function readOrRepair({ block, blockLine }: FrontMatterBlock): FrontMatterReading {
  const reading = parseBlock(block, blockLine);
  if (reading.kind === 'mapping') {
    const { value, lines, problems } = reading;
    const hidden = hiddenDescription(block, value);
    if (hidden === undefined) return { kind: 'read', value, lines, source: block, problems, salvaged: false };
    const line = lines.get('description') ?? blockLine;
    const message = 'description: is a comment to YAML and was read as text; quote it';
    const problem: Problem = { rule: 'yaml-repaired', severity: 'warning', message, line };
    return { kind: 'read', lines, salvaged: false, ...hidden, problems: [...problems, problem] };
  }
  if (reading.problem.rule === 'yaml-aliases') return reading;
  const repaired = repairBlock(block, blockLine);
  return repaired === undefined ? reading : { kind: 'read', ...repaired };
}

/** Through gray-matter with the one engine that is allowed; every other throws. */
function parseBlock(block: string, blockLine: number): MappingReading {
  let reading: MappingReading | undefined;
  const refuseLanguage = {
    parse: (): never => {
      throw new Error('front matter language refused');
    },
  };
  const engines = {
    yaml: {
      parse: () => {
        reading = readMapping(block, blockLine);
        return reading.kind === 'mapping' ? { ...reading.value } : {};
      },
    },
    js: refuseLanguage,
    javascript: refuseLanguage,
    json: refuseLanguage,
    coffee: refuseLanguage,
    toml: refuseLanguage,
  };
  // It looks for comments from the start of each line over all blanks that follow: a run of them is one to it.
  const squeezed = block.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n ' : ' '));
  matter(`---\n${squeezed}\n---\n`, { language: 'yaml', engines });
  if (reading !== undefined) return reading;
  // gray-matter does not call its engine for a block of blanks and comments.
  const problem = refusal('not-a-mapping', 'frontmatter must be key: value pairs', blockLine);
  return { kind: 'refused', problem };
}

/** `description: #1 reader` is nothing but a comment to YAML, and never to its author. */
function hiddenDescription(
  block: string,
  value: YamlMapping,
): { value: YamlMapping; source: string } | undefined {
  const line = /^(description:[ \t]+)(#[^\s#].*)$/m;
  const text = value['description'] === '' ? line.exec(block)?.[2]?.trim() : undefined;
  if (text === undefined) return undefined;
  const source = block.replace(line, (_, key: string) => key + JSON.stringify(text));
  return { value: Object.assign(Object.create(null), value, { description: text }) as YamlMapping, source };
}
