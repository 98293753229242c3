/** What stands in the page before its script runs: no text of a skill. */
export const PAGE_BODY = `<header>
  <h1>Skill graph</h1>
  <label class="search"><span class="hidden">Search skills</span>
    <input id="search" type="search" placeholder="Search names, tags, descriptions" autocomplete="off" spellcheck="false"></label>
  <fieldset id="kinds"><legend class="hidden">Edges shown</legend></fieldset>
  <div class="zoom" role="group" aria-label="View">
    <button type="button" id="closer" aria-label="Zoom in">+</button>
    <button type="button" id="farther" aria-label="Zoom out">−</button>
    <button type="button" id="whole">Whole</button>
  </div>
</header>
<main>
  <div id="stage">
    <canvas id="picture" tabindex="0" role="img"></canvas>
    <p id="nothing" hidden>No skills here yet. Put one into the workspace, or add a root to knack.json.</p>
  </div>
  <aside aria-label="Skills">
    <section id="details" tabindex="-1" aria-label="Details" hidden></section>
    <section id="listing" aria-label="List">
      <p id="count" role="status"></p>
      <ul id="list"></ul>
    </section>
  </aside>
</main>
<noscript>The picture needs JavaScript. The same as text: knack skills graph.</noscript>`;

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --panel: #ffffff; --ink: #1d2126; --quiet: #5c646e; --line: #d9d6d0; --accent: #1d4ed8; --wrong: #c81e1e;
  --related: #2f6fed; --calls: #b45309; --co-use: #0b8a63; --mention: #6b7280; --similar: #c02672;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --panel: #1c2026; --ink: #e9ebee; --quiet: #a2abb5; --line: #343a42; --accent: #8ab4ff; --wrong: #ff8a80;
    --related: #6ea0ff; --calls: #f0a350; --co-use: #45c79b; --mention: #98a1ac; --similar: #f472b6;
  }
}
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 8px 14px; background: var(--panel); border-bottom: 1px solid var(--line); }
h1 { margin: 0; font-size: 16px; }
.search { flex: 1 1 200px; max-width: 340px; }
input[type=search] { width: 100%; font: inherit; padding: 5px 9px; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; }
fieldset { display: flex; flex-wrap: wrap; gap: 4px 12px; margin: 0; padding: 0; border: 0; min-width: 0; }
fieldset label { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; cursor: pointer; }
fieldset svg { width: 26px; height: 10px; }
fieldset input { margin: 0; accent-color: var(--accent); }
button { font: inherit; color: inherit; }
.zoom { display: flex; gap: 4px; }
.zoom button { min-width: 32px; padding: 3px 8px; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
main { flex: 1; display: flex; min-height: 0; }
#stage { position: relative; flex: 1; min-width: 0; overflow: hidden; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
canvas.held { cursor: grabbing; }
canvas.over { cursor: pointer; }
#nothing { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; padding: 24px; text-align: center; color: var(--quiet); }
aside { width: 340px; overflow: auto; background: var(--panel); border-left: 1px solid var(--line); padding: 12px 14px; }
aside p { margin: 0 0 8px; }
#count { color: var(--quiet); }
ul { list-style: none; margin: 0; padding: 0; }
li button, .tag { text-align: start; background: none; border: 0; padding: 3px 4px; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere; }
li button:hover { background: var(--ground); }
li button::before { content: ""; display: inline-block; width: 9px; height: 9px; margin-inline-end: 7px; border-radius: 50%; background: var(--dot, var(--quiet)); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
canvas:focus-visible { outline-offset: -3px; }
#details { padding-bottom: 12px; margin-bottom: 12px; border-bottom: 1px solid var(--line); }
#details:focus { outline: none; }
#details header { padding: 0 0 6px; border: 0; flex-wrap: nowrap; justify-content: space-between; }
h2 { margin: 0; font-size: 17px; overflow-wrap: anywhere; }
h3 { margin: 12px 0 2px; font-size: 13px; color: var(--quiet); font-weight: 600; }
.text { unicode-bidi: isolate; overflow-wrap: anywhere; white-space: pre-line; }
.path { font: 12px/1.4 ui-monospace, monospace; color: var(--quiet); user-select: all; }
.tags { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px 0; }
.tags .derived { border-style: dashed; opacity: 0.75; }
.tags span { border: 1px solid var(--line); border-radius: 10px; padding: 0 8px; font-size: 12px; overflow-wrap: anywhere; unicode-bidi: isolate; }
.wrong { color: var(--wrong); padding: 3px 4px; overflow-wrap: anywhere; }
.close { background: none; border: 0; font-size: 18px; line-height: 1; padding: 4px 8px; cursor: pointer; }
@media (max-width: 720px) {
  main { flex-direction: column; }
  aside { width: auto; height: 42%; border-left: 0; border-top: 1px solid var(--line); }
  h1 { display: none; }
  header { gap: 6px 10px; padding: 6px 10px; }
  .search { max-width: none; }
  fieldset { font-size: 13px; order: 3; width: 100%; }
}
`;
