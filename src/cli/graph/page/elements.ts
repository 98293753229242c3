/** An element of the page by its id. Throws where the page has none, which is a fault of the page. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
  return found;
}

/** A fresh element with text, which is never read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { text, className }: { readonly text?: string; readonly className?: string } = {},
): HTMLElementTagNameMap[K] {
  const fresh = document.createElement(tag);
  if (text !== undefined) fresh.textContent = text;
  if (className !== undefined) fresh.className = className;
  return fresh;
}
