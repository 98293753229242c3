import { dirname, join, normalize } from 'node:path/posix';
import { type Folder, fileText } from '../../files/folder.ts';
import type { CheckContext, CheckFinding } from '../check.ts';
import { type MarkdownLine, markdownLines } from '../markdown.ts';

const LINK =
  /(?<!\w)!?\[[^\]]*\]\(\s*(?:<([^<>]+)>|((?:[^()\s<>]|\([^()\s]*\))+))(?:\s+["'(][^)]*)?\s*\)|^\s{0,3}\[[^\]^]+\]:\s*<?(\S+?)>?(?:\s|$)/g;
/** Paths of the skill's own folders in code and commands. */
const MENTION =
  /(?<![\w./:@~{}<>$-])(?:\.\/)?((?:scripts|references|assets|templates)\/[\w./-]*\w\.\w{1,8})(?![\w/*{<-])/g;

/** What links are followed in. `base`: as the skill was before. */
type LinkContext = Pick<CheckContext, 'candidate' | 'library' | 'dir' | 'base'> &
  Partial<Pick<CheckContext, 'generated'>>;

/** Relative links that lead nowhere, and mentions of files that are not there. */
export function linkFindings(context: LinkContext): CheckFinding[] {
  return [...context.candidate.keys()]
    .filter((file) => /\.(?:md|markdown|mdx)$/i.test(file))
    .flatMap((file) =>
      markdownLines(fileText(context.candidate, file) ?? '').flatMap((line) => {
        const links = line.code ? [] : linksOf(line);
        // What a link leads to is named once.
        const mentions = mentionsOf(line).filter((path) => !links.some((target) => target.includes(path)));
        return [
          ...links.flatMap((target) => linkFinding(target, file, line.number, context)),
          ...mentions.flatMap((path) => mentionFinding(path, file, line.number, context)),
        ];
      }),
    );
}

function linksOf({ text, front }: MarkdownLine): string[] {
  if (front) return [];
  const withoutCode = text.replace(/(`+)[^`]+\1/g, (code) => ' '.repeat(code.length));
  return [...withoutCode.matchAll(LINK)].map((match) => String(match[1] ?? match[2] ?? match[3]));
}

function linkFinding(
  target: string,
  file: string,
  line: number,
  { candidate, library, dir, generated }: LinkContext,
): CheckFinding[] {
  const path = pathOf(target);
  if (path === undefined) return [];
  const own = [join(dirname(file), path), normalize(path)].map((place) =>
    place.replace(/^\.\//, '').replace(/\/$/, ''),
  );
  if (own.some((place) => exists(candidate, place))) return [];
  if (own[0]?.startsWith('..')) {
    const absolute = normalize(join(dir, own[0]));
    const isSkill = library.skills.some(
      (skill) => absolute === skill.dir || absolute === skill.path || absolute.startsWith(`${skill.dir}/`),
    );
    if (isSkill) return [];
    return [
      {
        rule: 'link-outside',
        // A drafter sees the library alone, so it cannot know of anything there.
        severity: generated === true ? 'refuse' : 'warn',
        message: `the link to ${target} leads out of the skill, where nobody may find it`,
        file,
        line,
        subject: target,
      },
    ];
  }
  const near = [...candidate.keys()].find((known) =>
    own.some((place) => place.toLowerCase() === known.toLowerCase()),
  );
  return [
    {
      rule: 'broken-link',
      severity: 'refuse',
      message: `the link to ${target} leads nowhere${near === undefined ? '' : `: the file is called ${near}`}`,
      file,
      line,
      subject: target,
    },
  ];
}

/** The path of a relative link without its anchor; undefined for addresses, anchors and placeholders. */
function pathOf(target: string): string | undefined {
  if (
    /^(?:[a-z][a-z0-9+.-]*:|#|\/|~)/i.test(target) ||
    /[<>{}*$]|\.\.\.|^(?:url|link|path|file|…)$|(?:^|\/)path\/to\//i.test(target)
  )
    return undefined;
  // Editors write `file.md:12` for a line.
  const path = target.replace(/[?#].*$/, '').replace(/(?<=\.\w+):\d[\d:-]*$/, '');
  try {
    return path === '' ? undefined : decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return path;
    throw error;
  }
}

function exists(folder: Folder, path: string): boolean {
  return (
    path === '.' ||
    path === '' ||
    folder.has(path) ||
    [...folder.keys()].some((known) => known.startsWith(`${path}/`))
  );
}

function mentionsOf({ text, front }: MarkdownLine): string[] {
  return front
    ? []
    : [...text.matchAll(MENTION)]
        .map((match) => String(match[1]))
        .filter((path) => !/example|your|foo|placeholder|xxx/i.test(path));
}

/** `scripts/x` may also be a file of the project at hand, unless this skill has such a folder of its own. */
function mentionFinding(
  path: string,
  file: string,
  line: number,
  { candidate, base }: LinkContext,
): CheckFinding[] {
  if (exists(candidate, path) || exists(candidate, join(dirname(file), path))) return [];
  const folder = `${String(path.split('/')[0])}/`;
  const isOwn = base?.has(path) === true || [...candidate.keys()].some((known) => known.startsWith(folder));
  return [
    {
      rule: 'missing-file',
      severity: isOwn ? 'refuse' : 'warn',
      message: `${path} is named and is not there`,
      file,
      line,
      subject: path,
    },
  ];
}
