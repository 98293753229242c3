import type { PageEdge } from '../page-data.ts';

/** The colours of the present scheme, light or dark. */
export interface Colours {
  readonly ground: string;
  readonly ink: string;
  readonly quiet: string;
  readonly accent: string;
  readonly wrong: string;
  readonly kinds: Readonly<Record<PageEdge['kind'], string>>;
  /** Of a group, by its position: neighbours in the list are far apart in hue. */
  group(index: number, alpha?: number): string;
}

export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    ground: value('ground'),
    ink: value('ink'),
    quiet: value('quiet'),
    accent: value('accent'),
    wrong: value('wrong'),
    kinds: {
      related: value('related'),
      calls: value('calls'),
      'co-use': value('co-use'),
      mention: value('mention'),
      similar: value('similar'),
    },
    group(index, alpha = 1) {
      const hue = Math.round((index * 137.508 + 210) % 360);
      return isDark ? `hsl(${hue} 58% 66% / ${alpha})` : `hsl(${hue} 62% 40% / ${alpha})`;
    },
  };
}
