/* In their own file, because the command line reads them before it has parsed which command to run. */

export const agentNames = ['claude', 'codex', 'copilot', 'cursor'] as const;
export type AgentName = (typeof agentNames)[number];

export const ciNames = ['github', 'gitlab'] as const;
export type CiName = (typeof ciNames)[number];

/** What runs a project's commit hooks. */
export const managerNames = ['husky', 'lefthook', 'pre-commit'] as const;
export type ManagerName = (typeof managerNames)[number];
