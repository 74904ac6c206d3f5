import { jsonStep } from './json.ts';
import { type AgentName, agentNames } from './names.ts';
import type { Read, Step } from './step.ts';
import { appendStep, fileStep } from './text.ts';
import { ownCommand } from '../../system/own-command.ts';

/** What lies in a project in which one works. */
const traces: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['.claude', 'CLAUDE.md', '.mcp.json'],
  codex: ['.codex'],
  copilot: ['.github/copilot-instructions.md', '.github/hooks', '.vscode/mcp.json'],
  cursor: ['.cursor'],
};

export function agentsIn(exists: (path: string) => boolean): readonly AgentName[] {
  return agentNames.filter((it) => traces[it].some(exists));
}

/** Instructions that all of them read, then for each its entry for the server and the hook that runs after an edit. */
export function agentSteps(names: readonly AgentName[], read: Read): readonly Step[] {
  const instructions = appendStep('AGENTS.md', agentsSection, '<!-- deadtime -->', read);
  return [instructions, ...names.flatMap((it) => stepsOf[it](read))];
}

/** At most 120 tokens: an agent reads it in each of its sessions. */
export const agentsSection = `<!-- deadtime -->
## Dead time

After a change of JavaScript or TypeScript, run \`${ownCommand('review')}\`: it reports avoidable waiting on the changed lines.
Before a fix, read \`${ownCommand('explain <file:line>')}\`: it states when a finding is no problem, and what a fix changes.
Keep results, order and errors as they are. Where waiting is intended, state why: \`// deadtime-ignore-next-line <rule> -- reason\`.
\`${ownCommand('prove <file:line>')}\` measures before and after.
<!-- /deadtime -->
`;

const [command, ...args] = ownCommand('mcp').split(' ');
const server = { command, args };
const hook = ownCommand('hook');
/** Of an entry that is there already, with whichever package manager. */
const mark = 'deadtime hook';

const stepsOf: Readonly<Record<AgentName, (read: Read) => readonly Step[]>> = {
  claude: (read) => [
    jsonStep('.mcp.json', [{ at: ['mcpServers', 'deadtime'], value: server }], read),
    jsonStep('.claude/settings.json', [afterTool('Edit|MultiEdit|Write')], read),
  ],
  codex: (read) => [
    appendStep('.codex/config.toml', codexServer, '[mcp_servers.deadtime]', read),
    jsonStep('.codex/hooks.json', [afterTool('apply_patch|Edit|Write')], read),
  ],
  copilot: (read) => [
    jsonStep('.vscode/mcp.json', [{ at: ['servers', 'deadtime'], value: server }], read),
    fileStep('.github/hooks/deadtime.json', copilotHook, read),
  ],
  cursor: (read) => [
    jsonStep('.cursor/mcp.json', [{ at: ['mcpServers', 'deadtime'], value: server }], read),
    jsonStep(
      '.cursor/hooks.json',
      [
        { at: ['version'], value: 1 },
        { at: ['hooks', 'afterFileEdit'], value: { command: hook }, mark },
      ],
      read,
    ),
  ],
};

function afterTool(matcher: string) {
  const value = { matcher, hooks: [{ type: 'command', command: hook }] };
  return { at: ['hooks', 'PostToolUse'], value, mark };
}

const codexServer = `[mcp_servers.deadtime]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args).replaceAll(',', ', ')}
`;

/** Copilot reads every file of that folder. */
const copilotHook = `${JSON.stringify(
  { version: 1, hooks: { postToolUse: [{ type: 'command', bash: hook, powershell: hook }] } },
  undefined,
  2,
)}\n`;
