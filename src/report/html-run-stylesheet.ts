/** Of the page of a run, after the styles of every page: dead time has warm colours, the rest cold ones, and words name each part. */
export const runStylesheet = `
:root { --asleep: #cf222e; --pool: #bc4c00; --sequence: #d4a72c; --lag: #bf3989; --wire: #0969da; --held: #1b7c83; --threads: #8250df; --computing: #57ab5a; --unexplained: #b1bac4; }
@media (prefers-color-scheme: dark) { :root { --asleep: #ff7b72; --pool: #f0883e; --sequence: #e3b341; --lag: #f778ba; --wire: #58a6ff; --held: #39c5cf; --threads: #a371f7; --computing: #3fb950; --unexplained: #565e68; } }
body { max-width: 76rem; font-size: 13px; line-height: 18px; margin: 1rem auto; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1rem; margin: .75rem 0 .5rem; padding-top: .5rem; } header p { margin: .25rem 0 .75rem; color: var(--soft); }
a { color: inherit; } code { font: 12px ui-monospace, Menlo, monospace; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; } .legend i { display: inline-block; width: 12px; height: 12px; margin-right: .375rem; vertical-align: -1px; }
.entry { border-top: 1px solid var(--line); padding: .75rem 0; } .entry summary { cursor: pointer; list-style: none; } summary::-webkit-details-marker { display: none; }
.entry summary > span { display: block; } .head b { font-size: 15px; } .facts, .words { color: var(--soft); } .dead { margin: .125rem 0; }
.parts { height: 16px; white-space: nowrap; overflow: hidden; font-size: 0; background: var(--well); } .entry summary > .parts { display: flex; margin: .25rem 0; } .parts i { height: 16px; }
.asleepMs { background: var(--asleep); } .poolMs { background: var(--pool); } .inSequenceMs { background: var(--sequence); } .lagMs { background: var(--lag); } .wireMs { background: var(--wire); }
.heldMs { background: var(--held); } .threadPoolMs { background: var(--threads); } .computingMs { background: var(--computing); } .unexplainedMs { background: var(--unexplained); }
table { margin: .5rem 0 1rem; } th code { white-space: nowrap; } td { overflow-wrap: anywhere; } caption { font-weight: 600; margin-top: .5rem; }
.rules summary { cursor: pointer; } .rules p { margin: .25rem 1rem .5rem; }
@media (max-width: 52rem) { th code { white-space: normal; } }
@media print { body { max-width: none; } .entry { break-inside: avoid; } .parts i, .legend i { print-color-adjust: exact; } }
`;
