import { element } from './elements.ts';
import { KINDS, type KindStyle } from './kinds.ts';
import type { State } from './state.ts';

/** A switch for each kind of edge that there is, with a sample of its line. */
export function fillLegend(place: HTMLElement, state: State, changed: () => void): void {
  for (const style of KINDS) {
    const count = state.data.edges.filter((edge) => edge.kind === style.kind).length;
    if (count === 0) continue;
    const label = element('label');
    const box = element('input');
    box.type = 'checkbox';
    box.checked = true;
    box.addEventListener('change', () => {
      if (box.checked) state.hiddenKinds.delete(style.kind);
      else state.hiddenKinds.add(style.kind);
      changed();
    });
    label.append(box, sample(style), `${style.label} (${count})`);
    place.append(label);
  }
  const dangling = state.data.edges.filter((edge) => edge.to < 0).length;
  if (dangling > 0)
    place.append(element('span', { text: `× does not exist (${dangling})`, className: 'wrong' }));
}

function sample({ kind, dash, width }: KindStyle): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 26 10');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(space, 'line');
  const attributes = { x1: 1, x2: 25, y1: 5, y2: 5, stroke: `var(--${kind})`, 'stroke-width': width + 0.4 };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  if (dash.length > 0) line.setAttribute('stroke-dasharray', dash.join(' '));
  svg.append(line);
  return svg;
}
