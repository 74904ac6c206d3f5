/** The folder of package.json and the rules' pages: above src/ in the sources, above dist/ in the build. */
export const packageRoot = new URL(
  /\/dist\/[^/]*$/.test(import.meta.url) ? '../' : '../../',
  import.meta.url,
);
