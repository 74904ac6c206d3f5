/** Colours that stay distinct for colour-blind readers and in print; shapes and words carry the same information. */
export const stylesheet = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #6a737d; --line: #d8dee4; --flagged: #c2410c; --mended: #0369a1; --dead: #dc2626; --call: #64748b; --well: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9198a1; --line: #30363d; --flagged: #fb923c; --mended: #38bdf8; --dead: #f87171; --call: #8b98a9; --well: #161b22; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem; } h3 { font-size: 1rem; }
.rule, .alternative, caption, figcaption { color: var(--soft); }
.verdict { font-weight: 600; } p.verdict { font-size: 1.15rem; border-left: 4px solid var(--soft); padding-left: .75rem; }
p.slower { border-color: var(--dead); } p.no-difference, p.faster { border-color: var(--mended); }
.warning { border: 1px solid var(--flagged); padding: .5rem .75rem; }
blockquote { margin: 1rem 0; padding: .25rem 1rem; background: var(--well); } blockquote p { margin: .25rem 0; }
pre { background: var(--well); padding: .75rem; overflow-x: auto; font-size: 13px; }
table { border-collapse: collapse; width: 100%; margin: 1.25rem 0; font-variant-numeric: tabular-nums; } caption { text-align: left; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); font-weight: normal; } thead th { font-weight: 600; }
figure { margin: 1.5rem 0; } svg { width: 100%; height: auto; } .alternative { font-size: 13px; margin: .25rem 0; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg .tick, svg .label { fill: var(--soft); } svg .heading { font-weight: 600; }
.axis, .grid { stroke: var(--line); fill: none; }
.dots { stroke-width: 4; stroke-linecap: round; stroke-opacity: .35; fill: none; } .dots.flagged { stroke: var(--flagged); } .dots.mended { stroke: var(--mended); }
.median { stroke: var(--ink); stroke-width: 2; } .prediction { stroke: var(--ink); stroke-width: 2; stroke-dasharray: 3 2; }
rect.flagged { fill: var(--flagged); } rect.mended { fill: var(--mended); } rect.call { fill: var(--call); } rect.dead { fill: var(--dead); }
.line { fill: none; stroke-width: 2; } .line.flagged { stroke: var(--flagged); } .line.mended { stroke: var(--mended); stroke-dasharray: 6 3; }
`;
