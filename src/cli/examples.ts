// What a command's help ends with: how it is called, and what its exit codes mean.

export const examples = `
Examples:
  deadtime                                    everything below the current folder
  deadtime src/worker.ts                      one file
  deadtime --rule no-leaked-connection src    one rule
  deadtime --profile strict                   hints and findings that rest on one assumption, too
  deadtime -f json > findings.json            for another program
  deadtime -f text -f jsonl:findings.jsonl    several reports of one run
  deadtime --fail-on warn                     warnings fail, too: exit code 1
  deadtime explain no-hot-path-sleep          what a rule means
  deadtime explain src/worker.ts:41           what that finding means, and its ways out
  deadtime prove src/worker.ts:41             what that finding costs, measured
  deadtime check --help                       the options of a check; each command has its own page

Exit codes: 0 no errors (or none of what --fail-on and --fail-on-cost name), 1 errors, 2 wrong usage, 3 internal error.
A comment switches a rule off: // deadtime-ignore-next-line no-hot-path-sleep -- the reason
`;

export const reviewExamples = `
Examples:
  deadtime review                             this branch against the main branch, uncommitted work included
  deadtime review --base release/2            against another branch
  deadtime review --staged                    before a commit
  deadtime review --commit HEAD~3             what one commit has brought
  gh pr diff 41 | deadtime review -           a patch, applied to these files or not

A finding counts when the files before the change did not have it: in a changed line, because of one, or because of
a change in a file that is imported. Code that was moved or formatted brings none.
Exit codes: as of check.
`;

export const baselineExamples = `
Examples:
  deadtime baseline                                   all that is found now
  deadtime baseline src/import --reason "runs once"   what is found there, and why it stays
  deadtime baseline --prune                           after mending

An entry stands for one finding as long as its function says the same, wherever the function stands.
`;

export const hookExamples = `
Claude Code, .claude/settings.json:
  { "hooks": { "PostToolUse": [{ "matcher": "Edit|Write|MultiEdit",
    "hooks": [{ "type": "command", "command": "npx deadtime hook" }] }] } }

It looks only at what the edited files have changed since HEAD, and says each finding once in a session.
Exit codes: 0 nothing to say, 1 it could not look (the agent goes on), 2 feedback for the agent on standard error.
`;

export const proofExamples = `
Examples:
  deadtime prove src/worker.ts:41                       the finding on that line, with the values of its code
  deadtime prove src/worker.ts:41 --html proof.html     with every sample, as a page
  deadtime prove no-hot-path-sleep --set sleepMs=50     a rule's benchmarks with another value
  deadtime prove --all --json > proofs.json             everything, for another program
  deadtime prove --all --database-url postgres://app@db/shop   on a server of yours: says what it makes there, then asks
  deadtime prove --suite                                which published figures come out on this machine
  deadtime prove no-hot-path-sleep --control            the mended code on both sides: no difference

Your code is not run: the benchmark has the same shape and takes its numbers from it.
Exit codes: 0 every benchmark ran, 1 one could not or a control failed, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const profileExamples = `
Examples:
  deadtime profile                                         this machine and a local PostgreSQL
  deadtime profile --database-url postgres://app@db/shop   the network and the server that the code really uses
  deadtime profile --json --output ci.profile.json         for another program

It takes about four seconds, opens a few connections, and writes nothing into the database but messages to its log.
deadtime prove takes the round trip of deadtime.profile.json for its network, and says so beside each number; rules never do.
Exit codes: 0 measured, 1 a database was missing or failed, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const poolSizeExamples = `
Examples:
  deadtime pool-size --users 150 --query-ms 150                   each user asks once a second
  deadtime pool-size --users 150 --query-ms 150 --think-ms 100    programs that hardly wait between two requests
  deadtime pool-size --users 600 --query-ms 20 --workers 8 --server-max 200

Little's law says how many queries are under way when nobody waits: requests per second times seconds per query.
A smaller pool makes requests wait; a larger one serves nobody sooner, and a busy database more slowly.
The test runs queries that only wait: it shows the queue, not what the database can take.
Exit codes: 0 answered, 1 the test could not run, 2 wrong usage, 3 internal error, 130 cancelled.
`;

export const mergeExamples = `
Examples:
  deadtime check --shard 1/2 -f json:1.json      one part, on one machine
  deadtime check --shard 2/2 -f json:2.json      the other, on another
  deadtime merge 1.json 2.json -o findings.json  one report of both

Exit codes: as of check, over all parts.
`;

export const explainExamples = `
Examples:
  deadtime explain no-hot-path-sleep   what a rule means, and what it costs where we have measured it
  deadtime explain src/worker.ts:41    the finding on that line: why, and its ways out

Exit codes: 0 explained, 2 there is no such rule or finding, 3 internal error.
`;

export const initExamples = `
Examples:
  deadtime init --agents                       for the coding agents whose files are here
  deadtime init --agents claude,codex          for these two
  deadtime init --ci github --precommit husky  a job for pull requests, and a hook before each commit
  deadtime init --ci --yes                     writes without asking, for scripts

It shows each file as a diff first; what is in a file stays there.
Exit codes: 0 written, declined, or nothing left to write, 2 wrong usage, 3 internal error.
`;

export const mcpExamples = `
Examples:
  deadtime mcp             what an agent starts, in the repository that it works in
  deadtime init --agents   puts that into the settings of the agents whose files are here

.mcp.json:
  { "mcpServers": { "deadtime": { "command": "npx", "args": ["deadtime", "mcp"] } } }

An agent gets the tools check_code, explain_finding and prove_finding, which look at nothing outside of that repository.
`;

export const lspExamples = `
Examples:
  deadtime lsp --stdio   what an editor starts, in the folder that it has open

An editor’s settings name that command; docs/guides/editors.md of the repository has them for Neovim, Helix, Zed and Emacs.
`;
