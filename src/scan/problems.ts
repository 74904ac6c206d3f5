import { contextOf } from '../analysis/contexts/contexts.ts';
import { factsOf } from '../analysis/facts.ts';
import { commentsBetween } from '../analysis/syntax/comments.ts';
import { rangeOf } from '../analysis/syntax/places.ts';
import type { Source } from '../analysis/file/source.ts';
import type { ProjectModules } from '../project/project-modules.ts';
import { isShown, render, type Finding, type Message, type Rule } from '../../rules/define-rule.ts';
import { directivesOf } from './directives.ts';
import type { Script } from './embedded.ts';
import { fingerprintsOf, unitAround } from './fingerprint.ts';
import { nodeFinder, type NodeFinder } from './node-finder.ts';
import { lazyPositionsOf, positionsOf, type Positions } from './positions.ts';
import type { Problem, RelatedPlace, TitledSuggestion } from './problem.ts';
import { namesOf } from './problem-names.ts';
import type { RuleSetting, ScanOptions } from './scan.ts';
import { readingOf } from './text.ts';

/** The findings of one file that the profile shows, as people read them, without those that a comment disables. */
export function problemsOf(
  source: Source,
  findings: readonly Finding[],
  { rules, profile, settings, modules, isOfSomeRules = false }: ScanOptions,
  script: Script,
): readonly Problem[] {
  const positions = lazyPositionsOf(source.text);
  const positionsIn = positionsByPath(source, positions, modules);
  const directives = directivesOf(source, positions);
  const nodeAt = nodeFinder(source.ast);
  // Of all findings: a key and a name do not depend on the profile.
  const fingerprints = fingerprintsOf(findings, nodeAt);
  const enabled = findings
    .map((finding, i) => ({ finding, fingerprint: fingerprints[i]! }))
    .filter(({ finding }) => !directives.isOff(finding));
  const names = namesOf(
    enabled.map((it) => it.finding),
    positions(),
    isOfSomeRules,
  );
  return enabled.flatMap(({ finding, fingerprint }, i): Problem | readonly Problem[] => {
    const { ruleId, range, related, evidence } = finding;
    if (!isShown(finding, profile)) return [];
    const rule = rules.find(({ id }) => id === ruleId)!;
    const message = rule.messages[finding.messageId]!;
    const node = nodeAt(range);
    const start = positions().at(range[0]);
    return {
      finding: withSeverity(finding, settings?.[ruleId]),
      path: source.path,
      start,
      end: positions().at(range[1]),
      names: names[i]!,
      message: render(message.text, evidence) + assumptionOf(message, evidence),
      cost: costOf(message, finding),
      context: contextOf(factsOf(source), node),
      related: related.map((it) => placeOf(it, positionsIn(it.path))),
      suggestions: suggestionsOf(finding, rule, script),
      fix: { ...message.fix, steps: message.fix.steps.map((it) => render(it, evidence)) },
      unit: rangeOf(unitAround(node)),
      switchOffAt: ifCode(range[0] - start.column + 1, source, nodeAt),
      fingerprint,
    };
  });
}

/** From the message, or as the rule computed it. */
function costOf(message: Message, { evidence }: Finding): string | undefined {
  if (message.cost !== undefined) return render(message.cost, evidence);
  return typeof evidence['cost'] === 'string' ? evidence['cost'] : undefined;
}

/** A sentence where the message does not name what the finding rests on. */
function assumptionOf({ text }: Message, { assumed }: Finding['evidence']): string {
  return assumed === undefined || text.includes('{{assumed}}')
    ? ''
    : ` This assumes that ${assumed}.`;
}

function withSeverity(finding: Finding, { severity }: RuleSetting = {}): Finding {
  const isOwn = severity === undefined || severity === 'default' || severity === 'off';
  return isOwn ? finding : { ...finding, severity };
}

function suggestionsOf(
  { suggestions, evidence }: Finding,
  rule: Rule,
  script: Script,
): readonly TitledSuggestion[] {
  return suggestions
    .filter(({ edits }) => edits.every(({ range }) => script.contains(range)))
    .map(({ messageId, ...rest }) => ({
      title: render(rule.suggestions[messageId] ?? messageId, evidence),
      ...rest,
    }));
}

/** An offset, where it is no part of a template, a string, a comment or the text of JSX. */
function ifCode(at: number, { comments }: Source, nodeAt: NodeFinder): number | undefined {
  const isInside = ([start, end]: readonly [number, number]) => start < at && at < end;
  if (commentsBetween(comments, at, at).length > 0) return undefined;
  const node = nodeAt([at, at]);
  return textTypes.has(node.type) && isInside(rangeOf(node)) ? undefined : at;
}

const textTypes: ReadonlySet<string> = new Set(['TemplateElement', 'Literal', 'JSXText']);

function placeOf(
  { range, ...rest }: Finding['related'][number],
  positions: Positions,
): RelatedPlace {
  return { ...rest, start: positions.at(range[0]), end: positions.at(range[1]) };
}

/** In each file that findings name: many may name the same one. */
function positionsByPath(
  source: Source,
  own: () => Positions,
  modules: ProjectModules | undefined,
): (path: string) => Positions {
  const known = new Map<string, Positions>();
  return (path) => {
    if (path === source.path) return own();
    // As the finding has seen it: an editor may hold a text that is not saved.
    const textThere = () => modules?.factsAt(path)?.text ?? textAt(path) ?? '';
    const positions = known.get(path) ?? positionsOf(textThere());
    known.set(path, positions);
    return positions;
  };
}

function textAt(path: string): string | undefined {
  const reading = readingOf(path);
  return 'text' in reading ? reading.text : undefined;
}
