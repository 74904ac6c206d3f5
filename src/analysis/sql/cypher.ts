import type { Operation } from './operation.ts';

const NOT_CODE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`/g;
/** `(:Label)`, `n.name` and `LIMIT 10`, where the program puts the name or number in. */
const PARTS = /[:.]\0|\b(?:limit|skip)\s+\0/gi;
const READS = /^\s*(?:match|optional\s+match|return|unwind|with)\b/i;
/** Clauses, and no names of labels, properties and parameters. */
const WRITES = /(?<![.:$\w])(?:create|merge|set|delete|remove|foreach)\b/i;
/** Procedures and files; a subquery `CALL { … }` is seen whole. */
const MAY_WRITE = /(?<![.:$\w])(?:call(?!\s*(?:\([^)]*\)\s*)?\{)|load\s+csv)\b/i;

/** The effect of a statement of Cypher, with NUL for run-time values: further parts of it, which may write. */
export function operationOfCypher(text: string): Operation {
  const plain = text.replaceAll(NOT_CODE, ' ').replaceAll(PARTS, ' ');
  // veto: the Cypher statement calls a procedure or loads a CSV file, which may write
  if (MAY_WRITE.test(plain)) return 'unknown';
  if (WRITES.test(plain)) return 'write';
  // veto: the Cypher statement has a clause that only run time decides
  return READS.test(plain) && !plain.includes('\0') ? 'read' : 'unknown';
}
