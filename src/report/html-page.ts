import { escaped } from './proof/markup.ts';
import { stylesheet } from './proof/stylesheet.ts';

export interface HtmlPage {
  readonly title: string;
  readonly version: string;
  /** Markup. */
  readonly body: string;
  /** Of this page, besides those of every page. */
  readonly styles?: string;
}

/** A whole page that needs no network and no script. */
export function htmlPage({ title, version, body, styles = '' }: HtmlPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="deadtime ${escaped(version)}">
<title>${escaped(title)} – Deadtime</title>
<style>${stylesheet}${styles}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
