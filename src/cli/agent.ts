/** Set by coding agents for the commands that they run; what their editors set for people, too, is not among them. */
export const agentVariables = [
  ...['AI_AGENT', 'ANTIGRAVITY_AGENT', 'AUGMENT_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX'],
  ...['CODEX_THREAD_ID', 'CURSOR_AGENT', 'GEMINI_CLI', 'OPENCODE'],
] as const;

/** Decides only the format of a command without `--format`. */
export function isAgentReading(): boolean {
  return !process.stdout.isTTY && agentVariables.some((it) => process.env[it]);
}
