import { createColors } from 'picocolors';
import { packageFile } from '../package.ts';
import { ruleNamed } from '../rule-names.ts';

/** The rule's page as a terminal shows it: what it reports, why, when to leave it, what to write instead. */
export function explanation(name: string, options: { readonly hasColors: boolean }): string {
  const rule = ruleNamed(name);
  const page = packageFile(`rules/${rule.id}/README.md`) ?? `# ${rule.id}\n\n${rule.description}.`;
  const { bold, cyan } = createColors(options.hasColors);
  let isCode = false;
  const lines = page
    .replace(/<!--.*?-->\n*/gs, '')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [`    ${line}`];
      const heading = /^#+ (.+)/.exec(line);
      if (heading) return [bold(cyan(heading[1]!))];
      return [line.replaceAll(/\*\*(.+?)\*\*/g, (_, words: string) => bold(words))];
    });
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
