import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { atEnd } from '../process/at-end.ts';

const args = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where Chromium may be: CHROMIUM_PATH says it, or else it is at one of the usual places. */
const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path !== undefined && existsSync(path));

/** Starts Chromium until the end of the test file. */
export const startBrowser = async (): Promise<Browser> => {
  if (executablePath === undefined) {
    throw new Error(
      'Chromium is missing, which the slow suite needs: install it, or set CHROMIUM_PATH.',
    );
  }
  const browser = await chromium.launch({ executablePath, args });
  atEnd(() => browser.close());
  return browser;
};
