import { globSync } from 'node:fs';
import { jest } from '@jest/globals';
import { authorizerCacheSeconds, functionTimeout } from '../../../functions/shared/time-limits.ts';
import { type Act, recorded } from '../recorded.ts';
import type { Session } from './situations.ts';

// What a person types and sees, and what the table then holds, as recorded.ts reads it:
//
//     # what the session shows
//     > a situation, of which situations.ts has all words
//     local$ keys revoke 1111111111111111
//     | a line of standard output
//     ! a line of standard error
//     = the exit code, unless it is 0
//     ~ what the command waits for, and each request after `> shows requests`
//     - {"what the table no longer holds"}
//     + {"what it holds now"}
//
// `prod$` is a command on a deployed prod, and `$` one without a target. Only the line that tells the
// stage is left out where it belongs, and is missed as (no stage). petstore_staging_KEY,
// petstore_prod_KEY and HASH_OF_KEY stand for random keys, NEW_ID for the ID of a new one, and FOLDER
// and INVENTORY_TABLE for names that differ from run to run.

const events: string[] = [];

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: async (milliseconds: number) => void events.push(`waits ${milliseconds} ms`),
}));
const { filled, situationsOf } = await import('./situations.ts');
const { inventoryStage } = await import('./inventory.ts');
const { keysStage, onProd } = await import('./keys.ts');
const { petstore } = await import('./petstore.ts');

/** For how many seconds a revoked key may still work. */
const revocation = authorizerCacheSeconds + functionTimeout / 1_000;

/** Replaces what is random or a tuning in what `petstore keys` prints, and in its table. */
const masked = (shown: string): string =>
  shown
    .replaceAll(/(petstore_[a-z]+_)[0-9a-f]{64}/g, '$1KEY')
    .replaceAll(/\b(?!(\d)\1{15})[0-9a-f]{16}\b/g, 'NEW_ID')
    .replaceAll(` within ${revocation} seconds`, ' within REVOCATION seconds');

/** Returns the words of a line: text without blanks, text in ' as it is, or in " as in JSON. */
const wordsOf = (line: string): string[] =>
  (line.match(/"(?:\\.|[^"])*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.startsWith('"') ? JSON.parse(word) : word.replace(/^'(.*)'$/s, '$1'),
  );

/** Returns the lines of a text, each with a mark before it. */
const marked = (mark: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${mark} ${line}`);

/** Returns what is in one list and not in the other, which may have it as often. */
const without = (list: string[], other: string[]): string[] => {
  const rest = [...other];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    return at < 0 || rest.splice(at, 1).length === 0;
  });
};

/** What a command prints first. */
const stageLine: Record<string, string> = {
  local: 'Stage: staging of the local run\n',
  prod: onProd,
};

/** Returns the lines of standard error, without the one that every command on a stage prints. */
const shownErrors = (target: string, errors: string): string[] => {
  const shown = errors.replace(/ of the local run at http:\S+/, ' of the local run');
  const first = stageLine[target] ?? '';
  return shown.startsWith(first)
    ? marked('!', shown.slice(first.length))
    : ['! (no stage)', ...marked('!', shown)];
};

/** Runs a command line. Returns what a person sees of it, and what it has changed. */
const commandLine = async (session: Session, { target, text }: Act): Promise<string[]> => {
  const { stage, options } = session;
  const isOnKeys = 'records' in stage;
  const held = () => (isOnKeys ? stage.records() : stage.entries());
  const before = await held();
  // What the test itself has waited for.
  events.length = 0;
  const words = wordsOf(filled(session, text));
  const { code, output, errors } =
    target === ''
      ? await petstore(words, options)
      : await stage[target as 'local' | 'prod'](words.slice(1), options);
  const after = await held();
  Object.assign(session, { printed: output, options: {} });
  const lines = [
    ...marked('|', output),
    ...shownErrors(target, errors),
    ...(code === 0 ? [] : [`= ${code}`]),
    ...events.map((event) => `~ ${event}`),
    ...without(before, after).map((line) => `- ${line}`),
    ...without(after, before).map((line) => `+ ${line}`),
  ];
  return isOnKeys ? lines.map(masked) : lines;
};

/** Makes a test of each session of a group of commands. */
export const sessions = (group: 'keys' | 'inventory'): void => {
  const stage = group === 'keys' ? keysStage() : inventoryStage();
  for (const file of globSync(`test/ops/${group}/*.session`).sort()) {
    recorded(file, () => {
      const session = { stage, options: {}, printed: '', events };
      return {
        situations: situationsOf(session),
        act: (act) => commandLine(session, act),
      };
    });
  }
};
