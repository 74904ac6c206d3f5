import { dirname, join, relative, sep } from 'node:path';
import { serverPackages } from '../analysis/model/names.ts';
import { entriesOf, field, type Json } from './json.ts';
import type { Tree } from './tree.ts';

/** What draws pages in a browser. */
const PAGES =
  /^(?:react-dom|vue|svelte|solid-js|preact|lit|jquery|@angular\/core|ember-source|alpinejs)$/;

/** What answers requests, makes pages where they are asked for, or runs a program of its own. */
const SERVERS = new RegExp(
  [
    // Frameworks of servers, and their parts: `@types/express`, `fastify-cli`, `@hapi/hapi`.
    `(?:^|[@/-])(?:express|fastify|koa|hapi|hono|nitro(?:pack)?|nestjs|restify|elysia|feathers(?:js)?|moleculer|loopback|sails|meteor|adonisjs|strapi|keystone(?:-\\d|js)?|payload|directus|midwayjs|egg|apollo-server|graphql-yoga|server)(?:[/-]|$)`,
    `^(?:h3|polka|micro|ws|socket\\.io|uWebSockets\\.js|probot)$`,
    // Frameworks that draw pages on servers, too.
    `^(?:next|nuxt\\d?|gatsby|astro|vinxi|waku|vike|blitz|fresh|vite-plugin-ssr|@sveltejs/kit|@tanstack/[a-z]+-start|@solidjs/start|@builder\\.io/qwik-city|@analogjs/.*|@angular/ssr)$`,
    `^@(?:remix-run|redwoodjs|shopify/hydrogen|react-router/(?:node|serve|express|cloudflare|architect|fs-routes))`,
    // Functions and workers of clouds; desktops; browsers that a program drives.
    `serverless|lambda|cloudflare|wrangler|netlify|firebase-(?:functions|admin)|^@(?:aws-(?:sdk|cdk)|google-cloud|azure|vercel)/|electron|tauri|puppeteer|^playwright-core$`,
  ].join('|'),
);

const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** `node server.js`, `tsx watch src/main.ts` in what starts the program; what builds it may run Node as well. */
const STARTS = /^(?:pre)?(?:start|serve|dev|develop|prod|production|server|worker|watch)\b/;
const RUNS_NODE =
  /(?:^|[\s;&|"'(])(?:node|nodemon|tsx|ts-node(?:-dev)?|babel-node|pm2|bun|deno|forever)\s/;

/** Folders of a package whose files a host runs one by one, or that are a server's by their name; `src/api` is not. */
const HOSTED =
  /^(?:api|backend|cron|(?:edge-)?functions|jobs?|netlify|servers?|supabase|workers?)[\\/]/;

/** The audience of the packages of a tree: who runs them. */
export interface Audiences {
  /** Whether only browsers run the package of the file at `path`. */
  isBrowsers(path: string): boolean;
  /** A manifest was written or removed. */
  forget(): void;
}

export function audiencesOf(tree: Tree): Audiences {
  const known = new Map<string, boolean>();
  const byFolder = new Map<string, boolean>();
  return {
    isBrowsers(path) {
      const folder = dirname(path);
      let answer = byFolder.get(folder);
      if (answer === undefined) byFolder.set(folder, (answer = isBrowsersFolder(folder)));
      return answer;
    },
    forget() {
      known.clear();
      byFolder.clear();
    },
  };

  function isBrowsersFolder(folder: string): boolean {
    const directory = tree.packageOf(folder);
    if (directory === undefined || HOSTED.test(`${relative(directory, folder)}${sep}`))
      return false;
    let answer = known.get(directory);
    if (answer === undefined) {
      answer = drawsPagesAlone(tree.json(join(directory, 'package.json')));
      known.set(directory, answer);
    }
    return answer;
  }
}

/** Whether a manifest has what draws pages in browsers, and nothing for a server. */
function drawsPagesAlone(manifest: Json | undefined): boolean {
  const names = GROUPS.flatMap((it) => entriesOf(field(manifest, it)).map(([name]) => name));
  if (!names.some((it) => PAGES.test(it)) || field(manifest, 'bin') !== undefined) return false;
  if (names.some((it) => SERVERS.test(it) || serverPackages.has(it))) return false;
  return !entriesOf(field(manifest, 'scripts')).some(
    ([name, script]) => STARTS.test(name) && RUNS_NODE.test(String(script)),
  );
}
