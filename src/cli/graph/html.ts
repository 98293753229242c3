import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KnackError, messageOf } from '../../errors.ts';
import { knackPackage } from '../../workspace.ts';
import { shownWhole } from '../output.ts';
import { inOneLine } from '../project-notes.ts';
import type { GraphData } from './graph.ts';
import { groupNodes } from './groups.ts';
import { degreesOf, layOut } from './layout.ts';
import type { PageData } from './page-data.ts';
import { PAGE_BODY, PAGE_STYLE } from './page-template.ts';

/** The page as one file that needs nothing else. Throws `io` where the package lacks the script of the page. */
export async function renderHtml(graph: GraphData): Promise<string> {
  return assemblePage(placed(graph), await pageScript());
}

/**
 * Puts the page together. Text of skills goes in as JSON alone, without a `<`, so that nothing in it can end the script
 * tag that it stands in; the policy lets no other script run, nor anything be fetched.
 */
export function assemblePage(data: PageData, script: string): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(PAGE_STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Skill graph</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${PAGE_BODY}
<script type="application/json" id="data">${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The graph with a place for everything, and with what does not show spelled out in its texts. */
export function placed(graph: GraphData): PageData {
  const groups = groupNodes(graph.nodes);
  const { points, circles } = layOut(graph, groups);
  const degrees = degreesOf(graph);
  const indexOf = new Map(graph.nodes.map(({ name }, index) => [name, index]));
  const groupAt = new Map(groups.flatMap(({ members }, group) => members.map((member) => [member, group])));
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    nodes: graph.nodes.map((node, index) => ({
      ...node,
      name: inOneLine(node.name),
      ...(node.title === undefined ? {} : { title: inOneLine(node.title) }),
      description: shownWhole(node.description),
      ...(node.version === undefined ? {} : { version: inOneLine(node.version) }),
      tags: node.tags.map(inOneLine),
      derivedTags: node.derivedTags.map(({ tag, from }) => ({ tag: inOneLine(tag), from })),
      root: inOneLine(node.root),
      path: inOneLine(node.path),
      x: rounded(points[index]?.x ?? 0),
      y: rounded(points[index]?.y ?? 0),
      group: groupAt.get(index) ?? 0,
      degree: degrees[index] ?? 0,
    })),
    groups: groups.map(({ label, isDerived, members }, index) => ({
      label: inOneLine(label),
      isDerived,
      size: members.length,
      x: rounded(circles[index]?.x ?? 0),
      y: rounded(circles[index]?.y ?? 0),
      radius: rounded(circles[index]?.radius ?? 0),
    })),
    edges: graph.edges.map(({ from, to, kind, dangling, score }) => ({
      from: indexOf.get(from) ?? 0,
      to: dangling ? -1 : (indexOf.get(to) ?? -1),
      kind,
      ...(dangling ? { missing: inOneLine(to) } : {}),
      ...(score === undefined ? {} : { score: Math.round(score * 100) / 100 }),
    })),
  };
}

/** The script of the page, bundled from `page/` when knack was built. */
async function pageScript(): Promise<string> {
  const file = join(knackPackage.dir, 'dist/graph-page.js');
  try {
    const script = (await readFile(file, 'utf8')).trim();
    // Nothing of ours says this; a bundled string that did would end the tag.
    return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  } catch (error) {
    throw new KnackError(
      'io',
      `cannot read ${file}, a part of knack: ${messageOf(error)}; install knack again, or \`npm run build\` in its source`,
      { cause: error },
    );
  }
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
