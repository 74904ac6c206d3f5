import type { Program, ProgramStep } from './program.ts';

/** The program for people, one wait a line, with the lines of the code that they come from. */
export function programText(program: Program, indent = ''): string {
  return program.map((step) => lineOf(step, indent)).join('');
}

function lineOf(step: ProgramStep, indent: string): string {
  const inner = (steps: Program) => programText(steps, `${indent}  `);
  const line = `${String(step.line).padStart(5)} ${step.isFlagged ? '>' : ' '} ${indent}`;
  switch (step.op) {
    case 'io':
      return `${line}query for ${step.label}\n`;
    case 'sleep':
      return `${line}sleep ${step.ms} ms\n`;
    case 'turn':
      return `${line}yield (${step.how})${step.every > 1 ? `, once every ${step.every} runs` : ''}\n`;
    case 'checkout':
      return `${line}check out a connection${step.roundTrips > 0 ? `, ${step.roundTrips} round trips` : ''}\n`;
    case 'release':
      return `${line}release it\n`;
    case 'together':
      return `${line}together:\n${step.branches.map(inner).join('')}`;
    case 'repeat': {
      const how = step.limit > 1 ? `, ${step.limit} at a time` : '';
      return `${line}${step.count} times${how}:\n${inner(step.body)}`;
    }
    case 'choose':
      return step.sides
        .filter(({ share, steps }) => share > 0 && steps.length > 0)
        .map(({ share, steps }) =>
          share === 1
            ? programText(steps, indent)
            : `${line}in ${Math.round(100 * share)} % of the runs:\n${inner(steps)}`,
        )
        .join('');
    case 'call':
      return `${line}${step.label}:\n${inner(step.body)}`;
  }
}
