/** Where package.json and the rules' pages are: above src/ in the sources, above dist/ once all is built into it. */
export const packageRoot = new URL(
  /\/dist\/[^/]*$/.test(import.meta.url) ? '../' : '../../',
  import.meta.url,
);
