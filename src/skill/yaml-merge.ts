import { parseDocument, Scalar, visit } from 'yaml';

/**
 * Whether a text in YAML says `<<` without quotes anywhere: readers that know merge keys (YAML 1.1, PyYAML) take in what
 * stands behind it, so that quoted or moved it would give other values there. Also where an alias stands for it.
 */
export function hasMergeKey(source: string): boolean {
  if (!source.includes('<<') && !source.includes('merge')) return false;
  const document = parseDocument(`${source}\n`, {
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  let isFound = false;
  visit(document, {
    Scalar(_, node) {
      const isPlain = node.type === Scalar.PLAIN && node.value === '<<';
      if (!isPlain && node.tag !== 'tag:yaml.org,2002:merge') return undefined;
      isFound = true;
      return visit.BREAK;
    },
  });
  return isFound;
}
