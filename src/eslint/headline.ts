import { type Finding, render, type Rule } from '../../rules/define-rule.ts';

/**
 * With the place, the level and the longest name of a rule, ESLint's default output has 160 characters a line then. It aligns the
 * names of all rules behind the longest message of a file, so a rule with a short name has no more room.
 */
const MOST = 97;

/** The message of a linter: what happens, and where there is room, what to do. Other hosts show the message as a whole. */
export function headlineOf({ messages }: Rule, { messageId, evidence }: Finding): string {
  const { text, cost, fix } = messages[messageId]!;
  const sentence = /^.*?\.(?= [A-Z`{])/s.exec(text)?.[0] ?? text;
  const fact = /^(.*?)(?:[:;]|, (?:so|but|and|although|while|when|which)) /s.exec(sentence)?.[1];
  const step = fix.steps[0]!;
  const candidates = [
    text,
    `${sentence} ${step}`,
    sentence,
    ...(fact === undefined ? [] : [`${fact}. ${step}`, `${fact}.`]),
    ...(cost === undefined ? [] : [`${cost}. ${step}`, `${cost}.`]),
  ].map((it) => capitalized(render(it, evidence)));
  return candidates.find((it) => it.length <= MOST) ?? clipped(candidates.at(-1)!);
}

/** Except for a letter that counts: "n round trips". */
function capitalized(text: string): string {
  return text.replace(/^[a-z](?=\w)/, (it) => it.toUpperCase());
}

function clipped(text: string): string {
  return `${text.slice(0, MOST - 1)}…`;
}
