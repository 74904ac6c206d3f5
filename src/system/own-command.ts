/** A command of this program as its user runs it: with `pnpm exec` where pnpm has started it, and with `npx` elsewhere. */
export function ownCommand(words: string, agent = process.env['npm_config_user_agent']): string {
  const manager = agent?.split('/')[0];
  return `${runners.find(([name]) => name === manager)?.[1] ?? 'npx'} deadtime${words && ` ${words}`}`;
}

/** By the name that begins the user agent, which package managers leave to what they start. */
const runners = [
  ['pnpm', 'pnpm exec'],
  ['yarn', 'yarn'],
  ['bun', 'bunx'],
] as const;
