// What a command's help ends with: how it is called, and what its exit codes mean.

export const examples = `
Examples:
  deadtime                                    everything below the current folder
  deadtime src/worker.ts                      one file
  deadtime --rule no-leaked-connection src    one rule
  deadtime --profile strict                   also hints and findings that rest on one assumption
  deadtime -f json > findings.json            as JSON
  deadtime -f text -f jsonl:findings.jsonl    several reports of one run
  deadtime --fail-on warn                     warnings also fail: exit code 1
  deadtime explain no-hot-path-sleep          what a rule means
  deadtime explain src/worker.ts:41           what that finding means, and how to fix it
  deadtime prove src/worker.ts:41             what that finding costs, measured
  deadtime check --help                       the options of a check; each command has its own page

Exit codes: 0 no errors (or no finding that --fail-on and --fail-on-cost name), 1 errors, 2 wrong usage, 3 internal error.
A comment disables a rule: // deadtime-ignore-next-line no-hot-path-sleep -- the reason
`;

export const reviewExamples = `
Examples:
  deadtime review                             this branch compared with the main branch, with uncommitted work
  deadtime review --base release/2            compared with a different branch
  deadtime review --staged                    before a commit
  deadtime review --commit HEAD~3             the changes of one commit
  gh pr diff 41 | deadtime review -           a patch, applied or not

Review reports a finding if the files before the change did not have it: in a changed line, caused by one, or caused by
a change in an imported file. It does not report code that was only moved or formatted.
Exit codes: those of check.
`;

export const coverageExamples = `
Examples:
  deadtime coverage                           everything below the current folder
  deadtime coverage src --by folder           the share of each folder
  deadtime coverage --json > coverage.json    each root, with all awaits that it hides
  deadtime coverage --agent                   questions about functions that Deadtime cannot follow
  deadtime coverage --answer 'src/rates.ts#latest=http.read'
                                              record what one of them does in deadtime.facts.json

An await is understood when all of its effects are resolved: what it waits for, or that it waits for nothing outside the process.
No rule reports what is not understood. Tests, scripts and code of browsers do not count.
Exit codes: 0 shown, 2 wrong usage, 3 internal error.
`;

export const whyExamples = `
Examples:
  deadtime why src/worker.ts:41               why Deadtime reports nothing there
  deadtime why src/worker.ts:41 --json        the same as JSON

A condition is one sentence of a rule’s law. No finding on a line is no praise where an await is not understood.
Exit codes: 0 shown, 2 wrong usage, 3 internal error.
`;

export const baselineExamples = `
Examples:
  deadtime baseline                                   all findings of today
  deadtime baseline src/import --reason "runs once"   the findings there, and why they stay
  deadtime baseline --prune                           after fixes

An entry matches one finding as long as the text of its function is the same, also after the function moves.
`;

export const hookExamples = `
Claude Code, .claude/settings.json:
  { "hooks": { "PostToolUse": [{ "matcher": "Edit|Write|MultiEdit",
    "hooks": [{ "type": "command", "command": "npx deadtime hook" }] }] } }

It scans only the changes of the edited files since HEAD, and reports each finding once per session.
Exit codes: 0 no finding, 1 could not scan (the agent continues), 2 feedback for the agent on standard error.
`;

export const runExamples = `
Examples:
  deadtime run -- node server.js              until it ends or you press Ctrl-C; then the table
  deadtime run --for 60s -- npm start         ends it after a minute
  deadtime run -- npx tsx src/server.ts       TypeScript through a loader
  deadtime run --load http://localhost:3000/orders -- node server.js
                                              10 s of load by autocannon, then the table
  deadtime run --load-script load.js -- node server.js
                                              until your program that sends the load ends
  deadtime run --html run.html -- node server.js
                                              also a page for a browser
  deadtime run --compare before.json -- node server.js
                                              also what changed since an earlier recording
  node --import deadtime/register server.js   the same without this command
  kill -USR2 <pid>                            a table of what was measured so far, while it runs

It runs the program as it is, with probes at its awaits and in its database drivers, on Node.js 20, 22 and 24.
Send it the load that you want to understand. The table shows what each request and each iteration of a worker waited for:
dead time is time asleep, waiting for a connection, in sequence although independent, or lost to late timers.
The recording stays on this machine, and contains no values: statements without their literals, addresses without their numbers.
Exit codes: that of the command if it is not 0, 1 more dead time than --fail-on-cost, 2 wrong usage or no load, 3 internal error.
`;

export const proofExamples = `
Examples:
  deadtime prove src/worker.ts:41                       the finding on that line, with the values of its code
  deadtime prove src/worker.ts:41 --html proof.html     with every sample, as a page
  deadtime prove no-hot-path-sleep --set sleepMs=50     a rule's benchmarks with another value
  deadtime prove --all --json > proofs.json             all benchmarks, as JSON
  deadtime prove --all --database-url postgres://app@db/shop   on your server: lists what it creates there, then asks
  deadtime prove --suite                                which published figures this machine reproduces
  deadtime prove no-hot-path-sleep --control            the code after the fix on both sides: no difference

Your code is not run: the benchmark has the same shape and reads its numbers from the code.
Exit codes: 0 every benchmark ran, 1 a benchmark could not run or a control failed, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const profileExamples = `
Examples:
  deadtime profile                                         this machine and a local PostgreSQL
  deadtime profile --database-url postgres://app@db/shop   the network and the server of your application
  deadtime profile --json --output ci.profile.json         as JSON

It runs for about four seconds, opens a few connections, and writes only messages to the log of the server.
deadtime prove uses the round trip of deadtime.profile.json and marks each number that depends on it; rules never use it.
Exit codes: 0 measured, 1 a database was missing or failed, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const poolSizeExamples = `
Examples:
  deadtime pool-size --users 150 --query-ms 150                   each user asks once a second
  deadtime pool-size --users 150 --query-ms 150 --think-ms 100    clients that hardly wait between two requests
  deadtime pool-size --users 600 --query-ms 20 --workers 8 --server-max 200

Little's law gives the number of running queries while no request waits: requests per second times seconds per query.
A smaller pool makes requests wait; a larger pool saves no time, and slows down a busy database.
The test runs queries that only wait: it measures the queue, not the capacity of the database.
Exit codes: 0 answered, 1 the test could not run, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const mergeExamples = `
Examples:
  deadtime check --shard 1/2 -f json:1.json      the first part, on one machine
  deadtime check --shard 2/2 -f json:2.json      the second part, on a second machine
  deadtime merge 1.json 2.json -o findings.json  one report of both parts

Exit codes: those of check, over all parts.
`;

export const explainExamples = `
Examples:
  deadtime explain no-hot-path-sleep   what a rule means, and what it costs where measured
  deadtime explain src/worker.ts:41    the finding on that line: why, and how to fix it

Exit codes: 0 explained, 2 there is no such rule or finding, 3 internal error.
`;

export const initExamples = `
Examples:
  deadtime init --agents                       for the coding agents whose files exist here
  deadtime init --agents claude,codex          for these two
  deadtime init --ci github --precommit husky  a job for pull requests, and a hook before each commit
  deadtime init --eslint                       eslint.config.js, or what to add to it; --oxlint: .oxlintrc.json
  deadtime init --ci --yes                     writes without asking, for scripts

It shows a diff of each file first, and keeps the existing content.
Exit codes: 0 written, declined, or nothing to write, 2 wrong usage, 3 internal error.
`;

export const mcpExamples = `
Examples:
  deadtime mcp             an agent starts this in its repository
  deadtime init --agents   adds that to the settings of the agents whose files exist here

.mcp.json:
  { "mcpServers": { "deadtime": { "command": "npx", "args": ["deadtime", "mcp"] } } }

An agent gets the tools check_code, explain_finding and prove_finding, which read nothing outside of that repository.
`;

export const lspExamples = `
Examples:
  deadtime lsp --stdio   an editor starts this in its open folder

The editor’s settings name that command; docs/guides/editors.md in the repository shows them for Neovim, Helix, Zed and Emacs.
`;
