import { expect, test } from '@jest/globals';
import { blocksOf, pages, textOf } from '../support/docs/markdown.ts';
import { startBrowser } from '../support/page/browser.ts';
import { npmPrograms } from '../support/process/installs.ts';

const diagrams = pages.flatMap((page) =>
  blocksOf(textOf(page), 'mermaid').map((text) => ({ page, text })),
);

/** What the script of the package puts on the page. */
declare const mermaid: { parse(text: string): Promise<unknown> };

const folder = 'test/docs/mermaid';
await npmPrograms(folder);
const browser = await startBrowser();
const page = await browser.newPage();
await page.addScriptTag({
  path: `${folder}/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js`,
});

test('the documents have diagrams', () => {
  expect(diagrams.length).toBeGreaterThan(1);
});

test.each(diagrams)('a diagram of $page is valid', async ({ text }) => {
  const problem = await page.evaluate(
    (diagram) => mermaid.parse(diagram).then(() => '', String),
    text,
  );
  expect(problem).toBe('');
});
