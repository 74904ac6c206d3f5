import { Option } from 'commander';
import { profiles } from '../../rules/define-rule.ts';

// Options that several commands have.

export function ruleAtOption(): Option {
  return new Option('--rule <id>', 'the finding of this rule, where several have the same place');
}

export function typesOption(): Option {
  return new Option('--types', "also use the project's own TypeScript; this runs it");
}

export function trustOption(): Option {
  return new Option(
    '--trust-config',
    'read configuration that is code, such as deadtime.config.ts; this runs it',
  );
}

export function profileOption(): Option {
  return new Option(
    '--profile <profile>',
    'how sure a finding must be (default: the configuration, else "recommended")',
  ).choices(profiles);
}

export interface ColorOption {
  readonly color: boolean;
}

export function hasColors({ color }: ColorOption): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (!color || NO_COLOR) return false;
  return FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY;
}
