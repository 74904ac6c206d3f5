import ts from 'typescript';

/** As in any file of a project, but for imports and declarations, which are not read. */
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  jsx: ts.JsxEmit.Preserve,
  allowJs: true,
  experimentalDecorators: true,
  noResolve: true,
  noLib: true,
  types: [],
};

/** TypeScript's word on the syntax: our own parser goes on after most errors. Nothing is compiled for it. */
export function syntaxErrorsOf(path: string, source: string): readonly string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ESNext);
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === path ? file : undefined),
    fileExists: (name) => name === path,
    readFile: () => undefined,
    writeFile() {},
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  };
  return ts
    .createProgram([path], options, host)
    .getSyntacticDiagnostics(file)
    .map((it) => ts.flattenDiagnosticMessageText(it.messageText, ' '));
}
