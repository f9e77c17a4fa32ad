import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';

// What is done, and all that comes of it, as text. A file reads:
//
//     # what the block shows
//     > a situation: what is there before, or happens meanwhile, in the words of a table
//     $ what is done: a request, or a command after the name of its target, as in local$
//     $$ the body of a request
//     | what comes of it. The test says what its marks stand for: | ! = ~ + - or <
//
// A block is a test. All that comes after $ is compared as a whole: what is not there did not happen.
// UPDATE_RECORDED=1 npm test -- FILE writes the file anew: read its diff.

/** What is done: the text after `$ `, of the target before it, and after `$$ `. */
export interface Act {
  target: string;
  text: string;
  body?: string | undefined;
}

export interface Play {
  /** What makes each situation, by the words with which its line begins; it gets the others. */
  situations: Record<string, (text: string) => unknown>;
  /** Does something. Returns what comes of it, a line each. */
  act(act: Act): Promise<string[]>;
}

/** Makes a test of each block of a file. */
export const recorded = (file: string, start: () => Play): void => {
  const blocks = readFileSync(file, 'utf8')
    .trimEnd()
    .split(/\n+(?=# )/);
  for (const [index, block] of blocks.entries()) {
    test(block.slice('# '.length, block.indexOf('\n')), async () => {
      blocks[index] = (await played(block, start())).join('\n');
      if (!process.env.UPDATE_RECORDED) {
        expect(blocks[index]).toBe(block);
      }
    });
  }
  if (process.env.UPDATE_RECORDED) {
    afterAll(() => writeFileSync(file, `${blocks.join('\n\n')}\n`));
  }
};

/** The lines that are given; all others are what comes of them. */
const given = /^(?:# |> |\w*\$ ).*(?:\n\$\$.*)?/gm;
const result = /^[|!=~+<-]( |$)/;

/** Returns the lines of a block as it goes now. */
const played = async (block: string, play: Play): Promise<string[]> => {
  // What somebody has written must not be lost when the file is written anew.
  const lines = block.replaceAll(given, '').split('\n');
  expect(lines.filter((line) => line !== '' && !result.test(line))).toStrictEqual([]);
  const shown: string[] = [];
  for (const [text] of block.matchAll(given)) {
    shown.push(text);
    const [, target = '', what, body] = /^(\w*)\$ (.*)(?:\n\$\$ ?(.*))?$/.exec(text) ?? [];
    if (what !== undefined) {
      shown.push(...(await play.act({ target, text: what, body })));
    } else if (text.startsWith('> ')) {
      await arrange(play, text.slice('> '.length));
    }
  }
  return shown;
};

/** Makes a situation. */
export const arrange = async ({ situations }: Pick<Play, 'situations'>, line: string) => {
  const words = Object.keys(situations).find((each) => `${line} `.startsWith(`${each} `));
  if (words === undefined) {
    throw new Error(`No such situation: ${line}`);
  }
  await situations[words]?.(line.slice(words.length + 1));
};

/** Returns a text with its repeated parts written out: `(x × 3)`. */
export const repeated = (text: string): string =>
  text.replaceAll(/\((\S+) × (\d+)\)/g, (_all, part: string, times: string) =>
    part.replace('\\0', '\0').repeat(Number(times)),
  );

/** Returns a text with its repeated parts and its characters, such as `\u0020`, written out. */
export const whole = (text: string): string =>
  repeated(text).replaceAll(/\\u([0-9a-f]{4})/g, (_all, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
