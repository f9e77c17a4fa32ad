import { globSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { recorded } from '../recorded.ts';
import type { Next, Stages } from './situations.ts';

// What a person types and sees, and what the tables then hold, as recorded.ts reads it:
//
//     # what the session shows
//     > a situation, of which situations.ts has all words
//     local$ keys revoke 1111111111111111
//     | a line of standard output
//     ! a line of standard error
//     = the exit code, unless it is 0
//     ~ what the command waits for, and each request after `> shows requests`
//     - {"what a table no longer holds"}
//     + {"what it holds now"}
//
// `prod$` is a command on a deployed prod, and `$` one without a target. Only the line that tells the
// stage is left out where it belongs, and is missed as (no stage). petstore_staging_KEY,
// petstore_prod_KEY and HASH_OF_KEY are of keys that each session has for itself, NEW_ID is the ID that
// was just printed; FOLDER and INVENTORY_TABLE are names that differ from run to run.

/** What a session has waited for and asked, in order. */
const events: string[] = [];

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: async (milliseconds: number) => void events.push(`waits ${milliseconds} ms`),
}));
const { situationsOf } = await import('./situations.ts');
const { inventoryStage } = await import('./inventory.ts');
const { keysStage, now, onLocal, onProd } = await import('./keys.ts');
const { petstore } = await import('./petstore.ts');

/** Returns the words of a line: text without blanks, text in ' as it is, or in " as in JSON. */
const wordsOf = (line: string): string[] =>
  (line.match(/"(?:\\.|[^"])*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.startsWith('"') ? JSON.parse(word) : word.replace(/^'(.*)'$/s, '$1'),
  );

/** Returns a text of which a reader sees every character, and what is repeated only once. */
const seen = (line: string): string =>
  line
    .replaceAll(/\p{Cc}/gu, (character) => `\\x${Buffer.from(character).toString('hex')}`)
    .replaceAll(/(.{1,11}?)\1{31,}/gu, (all, part) => `(${part} × ${all.length / part.length})`);

/** Returns the lines of a text, each with a mark before it. */
const marked = (mark: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${mark} ${seen(line)}`.trimEnd());

/** Returns what is in one list and not in the other, which may have it as often. */
const without = (list: string[], other: string[]): string[] => {
  const rest = [...other];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    return at < 0 || rest.splice(at, 1).length === 0;
  });
};

const onStage: Record<string, string> = { local: onLocal, prod: onProd };

/** Returns the lines of standard error, without the one that every command on a stage prints. */
const shownErrors = (target: string, errors: string): string[] => {
  const stage = onStage[target] ?? '';
  const known = errors.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID');
  return known.startsWith(stage)
    ? marked('!', known.slice(stage.length))
    : ['! (no stage)', ...marked('!', known)];
};

/** Returns an item as JSON. Each engine has its own order of attributes. */
const sortedJson = (item: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Returns the entries, each as `1,7,sold`; with all it has if that does not say everything. */
const entriesIn = async ({ client, tables }: Stages['inventory']): Promise<string[]> => {
  const { Items = [] } = await client.scan({ TableName: tables.inventory });
  return Items.map((item) => {
    const { petId, quantity = { N: '-' }, status = { S: '-' }, ...others } = item;
    const isPlain = quantity.N && status.S && Object.keys(others).length === 0;
    return isPlain ? [petId?.N, quantity.N, status.S].join() : sortedJson(item);
  });
};

/** Returns what both tables hold, a line each. Times are told from `now`. */
const heldBy = async ({ keys, inventory }: Stages): Promise<string[]> => {
  const records = (await keys.records()).map((record) =>
    sortedJson(record).replaceAll(/(?<=:)1[78]\d{8}(?=[,}])/g, (time) => {
      const later = Number(time) - now;
      return later === 0 ? 'now' : `now${later > 0 ? '+' : ''}${later}`;
    }),
  );
  return [...records, ...(await entriesIn(inventory))].sort();
};

/**
 * Returns the lines that match, in the order of the alphabet: which of them comes first, and so
 * begins with the program's name, depends on the engine.
 */
const sortedErrors = (errors: string[], only: RegExp): string[] =>
  errors
    .filter((each) => only.test(each))
    .map((each) => each.replace(/^! petstore: /, '! '))
    .sort();

/** Runs a command line. Returns what a person sees of it, and what it has changed. */
const commandLine = async (stages: Stages, target: string, words: string[], next: Next) => {
  const before = await heldBy(stages);
  // What the test itself has waited for.
  events.length = 0;
  const [group = '', ...line] = words;
  const stage = stages[group as keyof Stages];
  const result =
    target === ''
      ? await petstore(words, next.options)
      : await stage[target as 'local' | 'prod'](line, next.options);
  if (result.errors.includes('choose a target')) {
    throw new Error(`It lacks local$ or prod$: ${words.join(' ')}`);
  }
  const after = await heldBy(stages);
  const errors = shownErrors(target, result.errors);
  const { only } = next;
  return [
    ...marked('|', result.output),
    ...(only ? sortedErrors(errors, only) : errors),
    ...(result.code === 0 ? [] : [`= ${result.code}`]),
    ...marked('~', events.join('\n')),
    ...marked('-', without(before, after).join('\n')),
    ...marked('+', without(after, before).join('\n')),
  ];
};

/** Makes a test of each session in the files of a folder. */
export const sessions = (folder: string): void => {
  const stages = { keys: keysStage(), inventory: inventoryStage() };
  for (const name of globSync('*.session', { cwd: folder }).sort()) {
    recorded(join(folder, name), () => {
      let printed = '';
      let next: Next = { options: {} };
      const { situations, filled } = situationsOf({
        stages,
        next: () => next,
        printed: () => printed,
        show: (event) => void events.push(event),
      });
      return {
        situations,
        act: async ({ target, text }) => {
          const words = wordsOf(filled(text));
          const shown = await commandLine(stages, target, words, next);
          printed = stages[words[0] as keyof Stages]?.printed ?? '';
          next = { options: {} };
          return shown;
        },
      };
    });
  }
};
