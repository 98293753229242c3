import type { PhraseRule } from './phrase-scan.ts';

/** Packages that nearly everyone installs, so that a name one slip away is a trap. */
const POPULAR = new Set(
  'requests numpy pandas urllib3 cryptography setuptools colorama beautifulsoup4 tensorflow matplotlib scikit-learn django flask fastapi pydantic sqlalchemy boto3 pillow selenium playwright openai anthropic langchain transformers pytest typing-extensions python-dateutil express lodash react-dom typescript webpack eslint prettier axios chalk commander mongoose electron puppeteer dotenv cross-env next nodemon passport jsonwebtoken bcrypt underscore moment jquery socket.io discord.js event-stream tailwindcss'.split(
    ' ',
  ),
);
const SHORTEST = 5;

/** Installing what is named almost like something else. */
export const TYPOSQUATS: PhraseRule = {
  rule: 'untrusted-index',
  severity: 'ask',
  message: 'a package of this name is one slip away from a well-known one',
  pattern:
    /\b(?:pip[\d.]* install|uv add|uv pip install|poetry add|npm (?:install|i|add)|pnpm add|yarn add|bun add)((?: (?:-{1,2}[\w-]{1,30}|@?[\w./-]{1,60}(?:[=<>~@^!][\w.*^~<>=,]{1,30})?)){1,12})/gi,
  negation: 'sentence',
  accepts: (match) =>
    match
      .split(' ')
      .slice(1)
      .some((word) => isTrap(word.toLowerCase().replace(/(?<=.)[=<>~@^!].*$/, ''))),
};

function isTrap(name: string): boolean {
  if (name.length < SHORTEST || name.startsWith('-') || KNOWN_NEIGHBOURS.has(name) || POPULAR.has(name))
    return false;
  return [...POPULAR].some((popular) => popular.length >= SHORTEST && isOneSlipAway(name, popular));
}

/** Real packages that are near others by chance. */
const KNOWN_NEIGHBOURS = new Set([
  'request',
  'preact',
  'colorama2',
  'expresso',
  'react',
  'eslint-d',
  'prettierd',
  'pytests',
]);

/** One letter more, less, other, or two neighbours swapped. */
function isOneSlipAway(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const leftRest = left.slice(start);
  const rightRest = right.slice(start);
  return (
    leftRest.slice(1) === rightRest.slice(1) ||
    leftRest.slice(1) === rightRest ||
    leftRest === rightRest.slice(1) ||
    (leftRest.slice(2) === rightRest.slice(2) && leftRest[0] === rightRest[1] && leftRest[1] === rightRest[0])
  );
}
