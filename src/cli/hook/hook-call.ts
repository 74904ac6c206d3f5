import { entriesOf, field, type Json, jsonOf, stringField, stringsOf } from '../../project/json.ts';

/** The input of an agent's hook about a tool that it has used. */
export interface HookCall {
  /** The conversation. */
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  /** The files that the tool has written, as it names them; empty for other tools. */
  readonly files: readonly string[];
}

/**
 * The call in any of the shapes that are documented, as of November 2026: Claude Code and Codex (`tool_input`, Codex with a
 * patch), Cursor (`file_path` at the top), Copilot (`toolArgs`, JSON in a string) and Copilot in VS Code (`tool_input` with
 * `filePath`). undefined for what is no JSON object.
 */
export function hookCallFrom(text: string): HookCall | undefined {
  const call = jsonOf(text);
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return undefined;
  const input = toolInputOf(call);
  return {
    session: firstString(call, ['session_id', 'sessionId', 'conversation_id']),
    cwd: stringField(call, 'cwd') ?? stringsOf(field(call, 'workspace_roots'))[0],
    files: isAfterEdit(call) ? [...new Set([...filesIn(call), ...filesIn(input)])] : [],
  };
}

function toolInputOf(call: Json): Json | undefined {
  const input = field(call, 'tool_input') ?? field(call, 'toolInput') ?? field(call, 'toolArgs');
  return typeof input === 'string' ? (jsonOf(input) ?? input) : input;
}

/** Before a tool runs there is nothing to scan, and a reply would stop the tool. */
function isAfterEdit(call: Json): boolean {
  const event = firstString(call, ['hook_event_name', 'hookEventName']) ?? '';
  const tool = firstString(call, ['tool_name', 'toolName']) ?? '';
  return (
    !/^(?:pre|before)/i.test(event) &&
    !/^(?:notebook)?(?:read|view|ls|list|glob|grep|find|search)/i.test(tool)
  );
}

const nameFields = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file'];

function filesIn(input: Json | undefined): readonly string[] {
  if (typeof input === 'string') return filesOfPatch(input);
  const named = firstString(input, nameFields);
  const listed = ['files', 'edits', 'replacements'].flatMap((name) => {
    const list = field(input, name);
    return Array.isArray(list)
      ? list.flatMap((it) => (typeof it === 'string' ? it : (firstString(it, nameFields) ?? [])))
      : [];
  });
  const patches = entriesOf(input).flatMap(([, value]) =>
    typeof value === 'string' ? filesOfPatch(value) : [],
  );
  return [...(named === undefined ? [] : [named]), ...listed, ...patches];
}

/** In the format of apply_patch. */
function filesOfPatch(text: string): readonly string[] {
  if (!text.includes('*** Begin Patch')) return [];
  const names = text.matchAll(/^\*\*\* (?:(?:Add|Update) File|Move to): (.+?)\r?$/gm);
  return Array.from(names, (it) => it[1]!);
}

function firstString(value: Json | undefined, names: readonly string[]): string | undefined {
  return names.map((it) => stringField(value, it)).find((it) => it !== undefined);
}
