import { escaped } from './proof/markup.ts';
import { stylesheet } from './proof/stylesheet.ts';

/** A whole page that needs no network and no script; `body` is markup. */
export function htmlPage(title: string, version: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="deadtime ${escaped(version)}">
<title>${escaped(title)} – Deadtime</title>
<style>${stylesheet}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
