import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';

/** What happens in a block, in the order of its lines. */
interface Exchange {
  /** Does what a line with `>` says. */
  arrange(line: string): unknown;
  /** Sends the request of a line with `$`, and of the next one with its body. Returns what comes of it. */
  send(request: string): Promise<string[]>;
}

/** The lines that are given: a request begins with a word in capitals, and its body does not. */
const given = /^[#>] .*|^\$ [A-Z]+( .*)?$(\n\$ (?![A-Z]+( |$)).*)?/gm;

/**
 * Makes a test of each block of a text file. A block begins with `# ` and what it shows. All that
 * comes of it is compared as a whole; with the variable UPDATE_EXCHANGES, it is written anew.
 */
export const testBlocks = (file: string, start: () => Exchange): void => {
  const blocks = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/\n+(?=# )/);
  for (const [index, block] of blocks.entries()) {
    test(block.slice('# '.length, block.indexOf('\n')), async () => {
      blocks[index] = (await played(block, start())).join('\n');
      if (!process.env.UPDATE_EXCHANGES) {
        expect(blocks[index]).toBe(block);
      }
    });
  }
  if (process.env.UPDATE_EXCHANGES) {
    afterAll(() => writeFileSync(file, `${blocks.join('\n\n')}\n`));
  }
};

/** Returns the lines of a block as it goes now. */
const played = async (block: string, { arrange, send }: Exchange): Promise<string[]> => {
  const lines: string[] = [];
  for (const [line] of block.matchAll(given)) {
    lines.push(...line.split('\n'));
    if (line.startsWith('> ')) {
      await arrange(line);
    } else if (line.startsWith('$ ')) {
      lines.push(...(await send(line)));
    }
  }
  return lines;
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
