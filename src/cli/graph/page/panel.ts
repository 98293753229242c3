import { counted } from '../../../text/counted.ts';
import type { PageEdge } from '../page-data.ts';
import type { Colours } from './colours.ts';
import { byId, element } from './elements.ts';
import { KINDS } from './kinds.ts';
import type { State } from './state.ts';

const MOST_LISTED = 150;

export interface Panel {
  /** Lists what the search found, or everything. */
  list(): void;
  /** Shows the selected skill, or nothing. */
  details(): void;
}

/** The side of the page that says in words what the picture shows; `select` is called with what somebody chooses. */
export function createPanel(
  state: State,
  colours: () => Colours,
  select: (node: number | undefined) => void,
): Panel {
  const [details, count, list] = [
    byId('details', HTMLElement),
    byId('count', HTMLElement),
    byId('list', HTMLElement),
  ];
  const { nodes, groups } = state.data;

  const skillButton = (node: number): HTMLLIElement => {
    const item = element('li');
    const button = element('button', { text: nodes[node]?.name ?? '' });
    button.type = 'button';
    button.style.setProperty('--dot', colours().group(nodes[node]?.group ?? 0));
    button.addEventListener('click', () => select(node));
    item.append(button);
    return item;
  };

  const neighbours = (selected: number): HTMLElement[] =>
    KINDS.flatMap(({ kind, directed, out, in: into }) => {
      const own = (state.edgesOf[selected] ?? []).filter((edge) => edge.kind === kind);
      const outward = own.filter((edge) => edge.from === selected || !directed);
      const inward = own.filter((edge) => edge.from !== selected && directed);
      return [...block(out, outward, selected), ...block(into, inward, selected)];
    });

  const block = (title: string, edges: readonly PageEdge[], selected: number): HTMLElement[] => {
    if (edges.length === 0) return [];
    const items = element('ul');
    for (const edge of edges) {
      if (edge.to < 0)
        items.append(element('li', { text: `× ${edge.missing ?? ''} (does not exist)`, className: 'wrong' }));
      else {
        const item = skillButton(edge.from === selected ? edge.to : edge.from);
        if (edge.score !== undefined) item.append(` ${edge.score.toFixed(2)}`);
        items.append(item);
      }
    }
    return [element('h3', { text: title }), items];
  };

  return {
    list() {
      const found = [...(state.matches ?? nodes.keys())];
      count.textContent =
        state.matches === undefined
          ? `${counted(found.length, 'skill')} in ${counted(groups.length, 'group')}`
          : `${found.length} of ${counted(nodes.length, 'skill')} found`;
      list.replaceChildren(...found.slice(0, MOST_LISTED).map(skillButton));
      if (found.length > MOST_LISTED)
        list.append(element('li', { text: `and ${found.length - MOST_LISTED} more: search for them` }));
    },
    details() {
      const node = state.selected === undefined ? undefined : nodes[state.selected];
      details.hidden = node === undefined;
      if (node === undefined || state.selected === undefined) return;
      const head = element('header');
      const close = element('button', { text: '×', className: 'close' });
      close.type = 'button';
      close.setAttribute('aria-label', 'Close details');
      close.addEventListener('click', () => select(undefined));
      head.append(element('h2', { text: node.name, className: 'text' }), close);
      const facts = [
        node.title,
        node.version === undefined ? undefined : `version ${node.version}`,
        `root ${node.root}`,
        `loaded ${counted(node.loads, 'time')}`,
      ].filter((fact) => fact !== undefined);
      const tags = element('div', { className: 'tags' });
      tags.append(
        ...node.tags.map((tag) => element('span', { text: tag })),
        ...node.derivedTags.map(({ tag, from }) => {
          const derived = element('span', { text: tag, className: 'derived' });
          derived.title = `derived from its ${from}`;
          return derived;
        }),
      );
      details.replaceChildren(
        head,
        element('p', { text: facts.join(' · '), className: 'text' }),
        ...(tags.childElementCount === 0 ? [] : [tags]),
        element('p', { text: node.description, className: 'text' }),
        element('p', { text: node.path, className: 'text path' }),
        ...neighbours(state.selected),
      );
      details.scrollIntoView({ block: 'nearest' });
    },
  };
}
