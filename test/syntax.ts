import ts from 'typescript';

/** TypeScript's word on the syntax: our own parser goes on after most errors. */
export function syntaxErrorsOf(path: string, source: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(source, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      jsx: ts.JsxEmit.Preserve,
      allowJs: true,
      experimentalDecorators: true,
    },
  });
  return diagnostics.map((it) => ts.flattenDiagnosticMessageText(it.messageText, ' '));
}
