import { each, withDefault } from './members.ts';
import type { Library, Member } from './schema.ts';

/** It waits for the site; what is asked of a page afterwards counts on it. */
const visiting: Member = { returns: 'Promise<any>', effect: { env: 'http', op: 'sync' } };
const started: Member = { returns: 'Promise<Browser>', effect: { env: 'proc', op: 'sync' } };
const newPage: Member = { returns: 'Promise<Page>' };

const whole = withDefault(each('launch connect', started));

/** A browser that a program steers: each visit waits for a site of others, which bears only so many. */
export const puppeteer: Library = {
  name: 'puppeteer',
  isHosted: true,
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

const browsers = withDefault(each('chromium firefox webkit', { type: 'BrowserType' }));

/** As above. */
export const playwright: Library = {
  name: 'playwright',
  isHosted: true,
  modules: ['playwright', 'playwright-core'],
  verifiedWith: '1.65.1',
  exports: browsers.exports,
  types: {
    Namespace: browsers.namespace,
    BrowserType: {
      members: {
        ...each('launch connect connectOverCDP', started),
        launchPersistentContext: { ...started, returns: 'Promise<BrowserContext>' },
      },
    },
    Browser: { members: { newPage, newContext: { returns: 'Promise<BrowserContext>' } } },
    BrowserContext: { members: { newPage } },
    Page: {
      members: each(
        'goto reload goBack goForward waitForURL waitForRequest waitForResponse waitForLoadState',
        visiting,
      ),
    },
  },
};
