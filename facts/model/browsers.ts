import { each, withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

/** It waits for the site; what is asked of a page afterwards counts on it. */
const visiting: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'sync' } };
const newPage: Member = { returns: 'Promise<Page>' };

const whole = withDefault(
  each('launch connect', { returns: 'Promise<Browser>', effect: { env: 'proc', op: 'sync' } }),
);

/** A browser that a program steers: each visit waits for a site of others. */
export const puppeteer: Library = {
  name: 'puppeteer',
  modules: ['puppeteer', 'puppeteer-core'],
  verifiedWith: '24.43.1',
  exports: whole.exports,
  types: {
    Namespace: whole.namespace,
    Browser: {
      members: { newPage, createBrowserContext: { returns: 'Promise<BrowserContext>' } },
    },
    BrowserContext: { members: { newPage } },
    Page: {
      members: each(
        'goto reload goBack goForward waitForNavigation waitForResponse waitForNetworkIdle',
        visiting,
      ),
    },
  },
};
