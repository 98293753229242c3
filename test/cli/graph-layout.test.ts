import { expect, test } from 'vitest';
import type { GraphData, GraphNode } from '../../src/cli/graph/graph.ts';
import { groupNodes } from '../../src/cli/graph/groups.ts';
import { assemblePage, placed } from '../../src/cli/graph/html.ts';
import { layOut } from '../../src/cli/graph/layout.ts';

const TAGS = ['docs', 'tests', 'git', 'data', 'cloud'];

const node = (name: string, fields: Partial<GraphNode> = {}): GraphNode => ({
  name,
  description: `Does ${name}.`,
  tags: [],
  derivedTags: [],
  root: 'workspace',
  path: `/skills/${name}/SKILL.md`,
  loads: 0,
  ...fields,
});

function graphOf(count: number): GraphData {
  const nodes = Array.from({ length: count }, (_, index) =>
    node(`skill${index}`, { tags: index % 7 === 0 ? [] : [TAGS[(index * index) % TAGS.length] ?? ''] }),
  );
  const edges = nodes
    .slice(1)
    .flatMap(({ name }, index) =>
      index % 3 === 0
        ? [{ from: name, to: `skill${(index * 5) % count}`, kind: 'related' as const, dangling: false }]
        : [],
    );
  return { nodes, edges };
}

test.each([0, 1, 2, 12, 300])('of %i skills each has one place, and none is on another', (count) => {
  const graph = graphOf(count);
  const groups = groupNodes(graph.nodes);
  const { points, circles } = layOut(graph, groups);
  const members = groups.flatMap((group) => group.members).sort((left, right) => left - right);
  expect(members).toEqual([...graph.nodes.keys()]);
  const distances = points.flatMap((a, at) =>
    points.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)),
  );
  expect(Math.min(...distances, 100)).toBeGreaterThan(14);
  const gaps = circles.flatMap((a, at) =>
    circles.slice(at + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius),
  );
  expect(Math.min(...gaps, 100)).toBeGreaterThan(0);
  for (const [group, { members: own }] of groups.entries())
    for (const member of own) {
      const [point, circle] = [points[member], circles[group]];
      const away = Math.hypot((point?.x ?? 0) - (circle?.x ?? 0), (point?.y ?? 0) - (circle?.y ?? 0));
      expect(away).toBeLessThan(circle?.radius ?? 0);
    }
});

test('the same graph gives the same picture to the byte', () => {
  const page = () => assemblePage(placed(graphOf(200)), 'script()');
  expect(page()).toBe(page());
});

test('skills are grouped by tag, then folder, then the first telling word; what nobody declared is marked, what fits nowhere comes last', () => {
  const derived = (from: 'folder' | 'name', tag: string) => ({ derivedTags: [{ tag, from }] });
  const nodes = [
    ...['a', 'b', 'c'].map((name) => node(name, { tags: ['Tea'] })),
    ...['d', 'e', 'f'].map((name) => node(name, derived('folder', 'Kitchen'))),
    ...['git-add', 'git-log', 'git-push'].map((name) => node(name, derived('name', 'git'))),
    node('odd'),
  ];
  expect(groupNodes(nodes)).toEqual([
    { label: 'git', isDerived: true, members: [6, 7, 8] },
    { label: 'kitchen', isDerived: true, members: [3, 4, 5] },
    { label: 'tea', isDerived: false, members: [0, 1, 2] },
    { label: 'others', isDerived: true, members: [9] },
  ]);
});

test('what shares no such topic with enough others is grouped by what descriptions say', () => {
  const says = (...tags: string[]) => ({
    derivedTags: tags.map((tag) => ({ tag, from: 'description' as const })),
  });
  const nodes = [
    ...['a', 'b', 'c'].map((name) => node(name, { tags: ['Tea'], ...says('water') })),
    ...['d', 'e'].map((name) => node(name, says('steel', 'water'))),
    ...['f', 'g', 'h', 'i'].map((name) => node(name, says('steel'))),
    ...['j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's'].map((name) => node(name)),
  ];
  expect(groupNodes(nodes).map(({ label, members }) => [label, members.length])).toEqual([
    ['steel', 6],
    ['tea', 3],
    ['others', 10],
  ]);
});

test('no text of a skill can end a tag, and what turns text or does not show is spelled out', () => {
  const evil = '</script><img src=x onerror=alert(1)><!--\u202egnp\u2028\u001b[2J';
  const graph: GraphData = {
    nodes: [
      node(evil, {
        title: evil,
        description: evil,
        version: evil,
        tags: [evil],
        derivedTags: [{ tag: evil, from: 'name' }],
        path: evil,
      }),
    ],
    edges: [{ from: evil, to: evil, kind: 'related', dangling: true }],
  };
  const page = assemblePage(placed(graph), 'script()');
  expect(page.match(/<\/?script|<img|<!--|[\u2028\u202e\u001b]/g)).toEqual([
    '<script',
    '</script',
    '<script',
    '</script',
  ]);
  const json = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page)?.[1] ?? '';
  const shown = '</script><img src=x onerror=alert(1)><!--<U+202E>gnp<U+2028><U+001B>[2J';
  const data = JSON.parse(json);
  const [{ name, tags, derivedTags }] = data.nodes;
  expect([name, tags, data.edges[0].missing]).toEqual([shown, [shown], shown]);
  expect(derivedTags).toEqual([{ tag: shown, from: 'name' }]);
});

test('the policy of the page lets the script of the page run and nothing else', async () => {
  const { createHash } = await import('node:crypto');
  const page = assemblePage(placed(graphOf(3)), 'script()');
  const hash = createHash('sha256').update('script()').digest('base64');
  expect(page).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'sha256-`);
  expect(page).not.toMatch(/https?:|\bsrc=|unsafe/);
});
