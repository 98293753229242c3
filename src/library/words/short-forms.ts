/**
 * Words with what people also write for them, lower case: each row is one meaning. Only short forms that mean one thing
 * wherever skills are written; of a row with two long forms either may be meant.
 */
const ROWS: readonly (readonly string[])[] = [
  ['k8s', 'kubernetes'],
  ['kube', 'kubernetes'],
  ['i18n', 'internationalization', 'localization'],
  ['l10n', 'localization'],
  ['g11n', 'globalization'],
  ['a11y', 'accessibility'],
  ['o11y', 'observability'],
  ['c14n', 'canonicalization'],
  ['p13n', 'personalization'],
  ['v12n', 'virtualization'],
  ['n11n', 'normalization'],
  ['d11n', 'documentation'],
  ['e2e', 'end to end'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['kt', 'kotlin'],
  ['golang', 'go'],
  ['md', 'markdown'],
  ['tex', 'latex'],
  ['yml', 'yaml'],
  ['tf', 'terraform', 'tensorflow'],
  ['pg', 'postgres', 'postgresql'],
  ['psql', 'postgres', 'postgresql'],
  ['mongo', 'mongodb'],
  ['db', 'database'],
  ['gh', 'github'],
  ['gha', 'github actions'],
  ['gcp', 'google cloud'],
  ['aws', 'amazon web services'],
  ['az', 'azure'],
  ['iac', 'infrastructure as code'],
  ['cicd', 'ci cd', 'continuous integration'],
  ['rn', 'react native'],
  ['vsc', 'vscode'],
  ['wasm', 'webassembly'],
  ['perf', 'performance'],
  ['auth', 'authentication', 'authorization'],
  ['authn', 'authentication'],
  ['authz', 'authorization'],
  ['infra', 'infrastructure'],
  ['repo', 'repository'],
  ['env', 'environment'],
  ['deps', 'dependencies'],
  ['docs', 'documentation'],
  ['regex', 'regular expression'],
  ['regexp', 'regex', 'regular expression'],
  ['xls', 'excel', 'spreadsheet'],
  ['xlsx', 'excel', 'spreadsheet'],
  ['ppt', 'powerpoint', 'pptx', 'slides'],
  ['pptx', 'powerpoint', 'slides'],
  ['docx', 'word document'],
  ['jwt', 'json web token'],
  ['ci', 'continuous integration'],
  ['sre', 'site reliability'],
  ['ml', 'machine learning'],
  ['dl', 'deep learning'],
  ['rl', 'reinforcement learning'],
  ['nlp', 'natural language processing'],
  ['llm', 'language model'],
  ['rag', 'retrieval augmented generation'],
  ['ocr', 'optical character recognition', 'text recognition'],
  ['tts', 'text to speech', 'speech'],
  ['stt', 'speech to text', 'transcribe'],
  ['hf', 'hugging face', 'huggingface'],
  ['tdd', 'test driven development'],
  ['bdd', 'behavior driven development'],
  ['ddd', 'domain driven design'],
  ['pr', 'pull request'],
  ['adr', 'architecture decision record'],
  ['seo', 'search engine optimization'],
  ['cro', 'conversion rate optimization'],
  ['ux', 'user experience'],
];

/** For each word and phrase of a row the others, in their order. */
const OTHERS = new Map<string, string[]>();
for (const row of ROWS)
  for (const [at, form] of row.entries()) {
    // The long forms of one short form are not the same thing.
    const others = at === 0 ? row.slice(1) : row.slice(0, 1);
    OTHERS.set(form, [...(OTHERS.get(form) ?? []), ...others]);
  }

/** What people also write for a word or phrase in lower case; nothing for most. */
export function otherForms(phrase: string): readonly string[] {
  return OTHERS.get(phrase.replaceAll('isation', 'ization')) ?? [];
}
