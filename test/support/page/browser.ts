import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { atEnd } from '../process/at-end.ts';

const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium until the end of the test file. CHROMIUM_PATH says where it is; without it, the
 * usual places are tried, and then where the system has installed Google Chrome.
 */
export const startBrowser = async (): Promise<Browser> => {
  const executablePath =
    process.env.CHROMIUM_PATH ??
    ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
  const browser = await chromium.launch({
    channel: 'chrome',
    ...(executablePath && { executablePath }),
    args,
  });
  atEnd(() => browser.close());
  return browser;
};
