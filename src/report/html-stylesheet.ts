/** Of the report of `check`, after that of every page: colours come with the word of the level, so print and any eye can read them. */
export const reportStylesheet = `
:root { --error: #cf222e; --warning: #a66300; --information: #0969da; --hint: #6e7781; --mark: #fff1b8; }
@media (prefers-color-scheme: dark) { :root { --error: #ff7b72; --warning: #e3b341; --information: #79c0ff; --hint: #9198a1; --mark: #5a4a12; } }
body { max-width: 76rem; font-size: 13px; line-height: 18px; margin: 1rem auto; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0; } h2 { font-size: 1rem; margin: .75rem 0 .5rem; padding-top: .5rem; } header p { margin: .25rem 0 .75rem; color: var(--soft); }
a { color: inherit; } code, pre { font-size: 12px; font-family: ui-monospace, Menlo, monospace; }
form { display: grid; grid-template-columns: minmax(9rem, 1fr) minmax(18rem, 2fr) minmax(14rem, 2fr); gap: 1rem 2rem; margin-bottom: 1rem; }
@media (max-width: 52rem) { form { grid-template-columns: 1fr; } .rules { columns: 1; } }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; } legend { padding: 0; color: var(--soft); }
label { display: grid; grid-template-columns: 1fr 30% 2.5rem; gap: .5rem; align-items: center; padding: 0 .375rem; cursor: pointer; }
form > :first-child label { grid-template-columns: 1fr 25% 2.5rem; }
label .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; grid-column: 1; } label b { text-align: right; font-weight: 600; grid-column: 3; }
label:hover, label:has(:checked) { background: var(--well); } label:has(:checked) { box-shadow: inset 3px 0 0 var(--soft); } label:has(:focus-visible) { outline: 2px solid var(--information); }
input { position: absolute; opacity: 0; }
.bar { display: flex; height: 8px; } .bar i { min-width: 3px; background: currentColor; }
.finding { border-top: 1px solid var(--line); padding: .25rem 0; } .finding:target { background: var(--well); }
.finding > summary { list-style: none; cursor: pointer; } summary::-webkit-details-marker { display: none; } summary > span { display: block; overflow: hidden; text-overflow: ellipsis; }
.finding > summary::after { content: "+"; float: right; margin-top: -54px; color: var(--soft); } .finding[open] > summary::after { content: "–"; }
.grade { font-weight: 600; } .is-error { color: var(--error); } .is-warning { color: var(--warning); } .is-information { color: var(--information); } .is-hint { color: var(--hint); }
.head a { color: var(--soft); } .cost { color: var(--soft); } .cost::before { content: "· "; }
.where { white-space: nowrap; } .where > code:first-child { color: var(--soft); margin-right: .75rem; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.finding > :not(summary) { margin-left: 1rem; } .finding pre { margin: .5rem 1rem; padding: .5rem .75rem; } pre i { font-style: normal; color: var(--soft); } pre .near { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .125rem 1rem; margin: .5rem 0 .75rem; } dt { color: var(--soft); grid-column: 1; } dd { margin: 0; grid-column: 2; overflow-wrap: anywhere; }
.rules { columns: 2; column-gap: 2rem; } .rules h2 { column-span: all; } .rules summary { cursor: pointer; } .rules details { break-inside: avoid; } .rules p { margin: .25rem 1rem .5rem; }
@media print { body { max-width: none; } .finding, label { break-inside: avoid; } .finding > summary::after { content: none; } }
`;
