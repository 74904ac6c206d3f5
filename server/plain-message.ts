import { visible } from '../src/report/visible.ts';

/**
 * A message for a window of the editor, which may quote a configuration or the name of a file. VS Code makes links of
 * `[text](command:…)` in it, and a click runs the command: the gap leaves it text.
 */
export function plainMessage(text: string): string {
  return visible(text).replaceAll('](', '] (');
}
