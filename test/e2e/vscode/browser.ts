import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Chromium without a screen, which reaches nothing but this machine. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      // Playwright's routing would do as well, but it switches the cache off.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}

function chromiumPath(): string {
  const named = process.env['E2E_CHROMIUM'];
  const known = ['chromium', 'chromium-headless-shell', 'google-chrome'].map(
    (it) => `/usr/bin/${it}`,
  );
  const path = named ?? known.find((it) => existsSync(it));
  if (path) return path;
  throw new Error('There is no Chromium: apt-get install chromium, or set E2E_CHROMIUM.');
}
