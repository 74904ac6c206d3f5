import { readFileSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { TSESTree } from '@typescript-eslint/utils';
import type { JSONSchema4 } from '@typescript-eslint/utils/json-schema';
import type { AST, ESLint, Linter, Rule as Lint, SourceCode } from 'eslint';
import { isForBrowsersAlone } from '../analysis/contexts/browser-packages.ts';
import { factsOf } from '../analysis/facts.ts';
import type { Source } from '../analysis/file/source.ts';
import { createModules } from '../project/modules.ts';
import { type ProjectModules } from '../project/project-modules.ts';
import { typesFromServices, type TypedServices } from '../project/types.ts';
import {
  type Evidence,
  type Finding,
  type OptionValue,
  type Profile,
  type Rule,
  type Suggestion,
  isShown,
  lintLevelOf,
  profiles,
} from '../../rules/define-rule.ts';
import { rules } from '../../rules/index.ts';
import { optionsSchema } from '../../rules/options-schema.ts';
import { isTriggered } from '../../rules/trigger.ts';
import { excludedGlobs } from '../project/excluded-names.ts';
import { trusting } from '../scan/configuration-program.ts';
import { directivesOf } from '../scan/directives.ts';
import { scriptOf } from '../scan/embedded.ts';
import { type LeftOutReason, wordsFor } from '../scan/left-out.ts';
import { isFailure, nestsTooDeep, sourceOf as parsedSource } from '../scan/parse.ts';
import { lazyPositionsOf } from '../scan/positions.ts';
import { proofCommandAt } from '../scan/proof-command.ts';
import { isTooLarge } from '../scan/text.ts';
import { writtenReason } from '../scan/written.ts';
import { packageRoot } from '../system/package-root.ts';
import { printProofAtEnd } from './closing-line.ts';
import { headlineOf } from './headline.ts';
import { ownCommand } from '../system/own-command.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
  readonly version: string;
};

/** A file without a message would read as praised, although no rule has run on it. */
const LEFT_OUT =
  'Deadtime ignores this file: {{words}}. Exclude it from linting if it is not written by hand.';

/** ESLint's messages carry text alone, so a host that needs the evidence asks by the tree. */
const found = new WeakMap<TSESTree.Program, Finding[]>();

/** The reports of the rules in this tree so far. */
export function findingsOf(program: TSESTree.Program): readonly Finding[] {
  return found.get(program) ?? [];
}

type ConfigName = 'recommended' | 'strict' | 'all' | 'tests-off';

const plugin = {
  meta: { name: 'deadtime', version, namespace: 'deadtime' },
  rules: Object.fromEntries(rules.map((rule) => [rule.id, lintRuleOf(rule)])),
  get configs() {
    return configs;
  },
} satisfies ESLint.Plugin;

const configs: Readonly<Record<ConfigName, Linter.Config>> = {
  recommended: configOf('recommended', (rule) => lintLevelOf(rule, 'recommended')),
  strict: configOf('strict', (rule) => withProfile(lintLevelOf(rule, 'strict'), 'strict')),
  all: configOf('all', (rule) => withProfile(lintLevelOf(rule, 'audit'), 'audit')),
  'tests-off': { ...configOf('tests-off', () => 'off'), files: [...excludedGlobs] },
};

export default plugin;

function configOf(name: ConfigName, level: (rule: Rule) => Linter.RuleEntry): Linter.Config {
  return {
    name: `deadtime/${name}`,
    plugins: { deadtime: plugin },
    rules: Object.fromEntries(rules.map((rule) => [`deadtime/${rule.id}`, level(rule)])),
  };
}

function withProfile(level: 'error' | 'warn' | 'off', profile: Profile): Linter.RuleEntry {
  return level === 'off' ? level : [level, { profile }];
}

function lintRuleOf(rule: Rule): Lint.RuleModule {
  const { description } = rule;
  const url = new URL(`rules/${rule.id}/README.md`, packageRoot).href;
  return {
    meta: {
      type: 'problem',
      docs: { description, url, recommended: lintLevelOf(rule, 'recommended') !== 'off' },
      hasSuggestions: Object.keys(rule.suggestions).length > 0,
      schema: [schemaOf(rule)],
      defaultOptions: [{ profile: 'recommended', ...defaultsOf(rule) }],
      messages: { ...messagesOf(rule), ...rule.suggestions, leftOut: LEFT_OUT },
      languages: ['js/js'],
    },
    create(context) {
      if (!isTriggered(rule.trigger, context.sourceCode.text)) return {};
      return {
        'Program:exit'() {
          const reason = leftOutReason(context);
          if (reason === 'told') return;
          if (reason !== undefined) return tellLeftOut(wordsFor(reason), context);
          for (const { loc, messageId, data, suggestions } of reportsFor(rule, context)) {
            const suggest = suggestions.map((it) => ({
              messageId: it.messageId,
              data,
              fix: (fixer: Lint.RuleFixer) => fixesOf(it, fixer),
            }));
            context.report({ loc, messageId, data, suggest });
          }
        },
      };
    },
  };
}

const leftOut = new WeakMap<TSESTree.Program, LeftOutReason | 'none' | 'told'>();

/** Why our own hosts ignore the file as well; undefined where they read it, and after the first report. */
function leftOutReason(context: Lint.RuleContext): LeftOutReason | 'told' | undefined {
  const tree = programOf(context.sourceCode);
  const known = leftOut.get(tree) ?? reasonFor(sourceOf(context.sourceCode, context)) ?? 'none';
  leftOut.set(tree, known === 'none' ? known : 'told');
  return known === 'none' ? undefined : known;
}

function reasonFor(source: Source): LeftOutReason | undefined {
  const { text, languages } = scriptOf(source.text, source.path);
  const reason = isTooLarge(text)
    ? 'large'
    : nestsTooDeep(text, source.path, languages)
      ? 'nesting'
      : writtenReason(text, source);
  // As in our own hosts, which do not read what no rule is about.
  return reason !== undefined && isForBrowsersAlone(source) ? undefined : reason;
}

function tellLeftOut(words: string, context: Lint.RuleContext): void {
  context.report({ loc: { line: 1, column: 0 }, messageId: 'leftOut', data: { words } });
}

/** Which words of a message fit depends on the names in it. */
function messagesOf({ messages }: Rule): Record<string, string> {
  return Object.fromEntries(Object.keys(messages).map((id) => [id, '{{headline}}']));
}

function defaultsOf(rule: Rule): Record<string, OptionValue> {
  return Object.fromEntries(
    Object.entries(rule.options).map(([name, option]) => [name, option.default]),
  );
}

function schemaOf(rule: Rule): JSONSchema4 {
  const profile: JSONSchema4 = {
    type: 'string',
    enum: [...profiles],
    description: 'How sure and how severe findings must be',
  };
  return {
    type: 'object',
    properties: { profile, ...optionsSchema(rule) },
    additionalProperties: false,
  };
}

interface TreeReport extends Pick<Finding, 'messageId' | 'suggestions'> {
  readonly loc: AST.SourceLocation;
  readonly data: Evidence;
}

function reportsFor(rule: Rule, context: Lint.RuleContext): readonly TreeReport[] {
  const { sourceCode } = context;
  const { profile, ...options } = context.options[0] as { readonly profile: Profile };
  const source = sourceOf(sourceCode, context);
  const shown = findingsIn(source, rule, options, context).filter((it) => isShown(it, profile));
  if (shown.length === 0) return [];
  // ESLint applies its own comments, and reports those that disable nothing.
  const { isOff } = directivesOf(source, lazyPositionsOf(source.text));
  const findings = shown.filter((it) => !isOff(it, { isOurs: true }));
  const printed = findings.find((it) => !isOff(it));
  if (printed) printProofAtEnd(proofOf(printed, context));
  const tree = programOf(sourceCode);
  found.set(tree, [...findingsOf(tree), ...findings]);
  return findings.map((finding) => {
    const [start, end] = finding.range;
    return {
      ...finding,
      loc: { start: sourceCode.getLocFromIndex(start), end: sourceCode.getLocFromIndex(end) },
      data: { ...finding.evidence, headline: headlineOf(rule, finding) },
    };
  });
}

function findingsIn(
  source: Source,
  rule: Rule,
  options: Readonly<Record<string, OptionValue>>,
  context: Lint.RuleContext,
): readonly Finding[] {
  try {
    return rule.findings(factsOf(source), options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tellLeftOut(`${wordsFor('rule-nesting')} ${rule.id}`, context);
    return [];
  }
}

const sources = new WeakMap<TSESTree.Program, Source>();

/** Keyed by the tree, never by the SourceCode: oxlint hands every file the same SourceCode object. */
function sourceOf(sourceCode: SourceCode, { filename: path, cwd }: Lint.RuleContext): Source {
  const ast = programOf(sourceCode);
  const known = sources.get(ast);
  if (known) return known;
  const { text } = sourceCode;
  // `<input>` is a text without a place: it has no neighbouring files.
  const modules = isAbsolute(path) ? freshModules(cwd) : undefined;
  const source = readAgain(ast, text, path, modules) ?? {
    ...{ path, text, ast, modules },
    get comments() {
      return sourceCode.getAllComments() as unknown as Source['comments'];
    },
    types: typesFromServices(sourceCode.parserServices as TypedServices | undefined),
  };
  sources.set(ast, source);
  return source;
}

function programOf(sourceCode: SourceCode): TSESTree.Program {
  return sourceCode.ast as unknown as TSESTree.Program;
}

/** svelte-eslint-parser puts the statements of a script into an element, where no fact expects them: they are parsed again. */
function readAgain(
  { body }: TSESTree.Program,
  text: string,
  path: string,
  modules: ProjectModules | undefined,
): Source | undefined {
  if (!body.some(({ type }) => String(type) === 'SvelteScriptElement')) return undefined;
  const script = scriptOf(text, path);
  const source = parsedSource(script.text, path, {
    languages: script.languages,
    modules: () => modules,
  });
  return isFailure(source) ? undefined : source;
}

interface Project {
  readonly modules: ProjectModules;
  nextRefresh: number;
}

/** By working directory, which is the project of files in no checkout and no package: editors lint in several. */
const projects = new Map<string, Project>();

function projectIn(cwd: string): Project {
  let project = projects.get(cwd);
  if (!project) {
    const modules = createModules({
      root: cwd,
      // Its rules show no assumptions of facts.
      usesUnconfirmed: false,
      // A linter already runs the project's own code: its configuration, its plugins and its parsers.
      files: trusting(),
      parse(text, path, modules) {
        const source = parsedSource(text, path, { modules: () => modules });
        return isFailure(source) ? undefined : source;
      },
    });
    projects.set(cwd, (project = { modules, nextRefresh: 0 }));
  }
  return project;
}

/** ESLint does not report file changes to a rule, so this reads the disk, for at most a twentieth of the time. */
function freshModules(cwd: string): ProjectModules {
  const project = projectIn(cwd);
  project.modules.trim();
  const now = performance.now();
  if (now < project.nextRefresh) return project.modules;
  project.modules.refresh();
  const end = performance.now();
  project.nextRefresh = end + Math.max(100, 20 * (end - now));
  return project.modules;
}

function fixesOf(suggestion: Suggestion, fixer: Lint.RuleFixer): Lint.Fix[] {
  return suggestion.edits.map(({ range, text }) => fixer.replaceTextRange([...range], text));
}

/** `<input>` has no place that a command could name. */
function proofOf(
  { range, ruleId }: Finding,
  { filename, cwd, sourceCode }: Lint.RuleContext,
): string {
  if (!isAbsolute(filename)) return ownCommand(`prove ${ruleId}`);
  const file = relative(cwd, filename).split(sep).join('/');
  return proofCommandAt(file, sourceCode.getLocFromIndex(range[0]).line);
}
