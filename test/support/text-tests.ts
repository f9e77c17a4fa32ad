import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';

/**
 * Makes a test of each block of a text file. A block begins with `# ` and what it shows. `play` gets
 * the lines that are given, which begin with one of these marks, and returns the block as it goes now:
 * those lines, with what comes of them. With the variable UPDATE_EXCHANGES, the file is written anew.
 */
export const testBlocks = (
  file: string,
  given: RegExp,
  play: (lines: string[]) => Promise<string[]>,
): void => {
  const blocks = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/\n+(?=# )/);
  for (const [index, block] of blocks.entries()) {
    test(block.slice('# '.length, block.indexOf('\n')), async () => {
      const lines = block.match(given) ?? [];
      blocks[index] = (await play(lines)).join('\n');
      if (!process.env.UPDATE_EXCHANGES) {
        expect(blocks[index]).toBe(block);
      }
    });
  }
  if (process.env.UPDATE_EXCHANGES) {
    afterAll(() => writeFileSync(file, `${blocks.join('\n\n')}\n`));
  }
};

/** Returns a text with its repeated parts and characters written out: `(x × 3)`, and `\\u0020`. */
export const whole = (text: string): string =>
  text
    .replaceAll(/\((\S+) × (\d+)\)/g, (_all, part: string, times: string) =>
      part.replace('\\0', '\0').repeat(Number(times)),
    )
    .replaceAll(/\\u([0-9a-f]{4})/g, (_all, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
