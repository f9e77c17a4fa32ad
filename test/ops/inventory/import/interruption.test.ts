import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { clientSettings, writesAtOnce } from '../../../../ops/stage/client-settings.ts';
import type { Passing, Reaction } from '../../../support/dynamodb/dynamodb-proxy.ts';
import { type OpsOptions, ops, spawnOps } from '../../../support/ops/ops.ts';
import {
  csvOf,
  exported,
  fileWith,
  header,
  importText,
  tablesOfStage,
} from '../../../support/ops/ops-stage.ts';
import { ended } from '../../../support/process/tools.ts';

const stage = tablesOfStage();
const reactNormally = () => {
  stage.react = ({ forward }) => forward();
};
afterEach(reactNormally);

/** Longer than a test takes. */
const timeout = 60_000;

beforeEach(() => {
  // On a busy machine, the writes that are held wait longer than operators would.
  jest.replaceProperty(clientSettings.requestHandler, 'requestTimeout', timeout);
  jest.replaceProperty(clientSettings.requestHandler, 'socketTimeout', timeout);
});
afterEach(() => void jest.restoreAllMocks());

const total = 200;
const text = csvOf(total, 2);
const earlier = csvOf(total, 1);

/** The write that is cut short. */
const cutAt = 100;
const writtenBefore = cutAt - 1;
/** Of these, the ones that are in flight together with the write that is cut short. */
const writtenFirst = cutAt - writesAtOnce;

const isWrite = ({ body: { Item, Key } }: Passing): boolean => (Item ?? Key) !== undefined;

/**
 * Calls `cut` for the write `cutAt` and all later ones, while as many others as possible are in
 * flight, which are then forwarded. Returns a function that counts the writes begun.
 */
const cutShort = (cut: (passing: Passing) => Promise<Reaction>) => {
  const isCut = Promise.withResolvers<void>();
  let begun = 0;
  stage.react = async (passing) => {
    if (isWrite(passing)) {
      begun += 1;
    }
    if (begun >= cutAt) {
      isCut.resolve();
      return cut(passing);
    }
    if (begun > writtenFirst) {
      await isCut.promise;
    }
    return passing.forward();
  };
  return () => begun;
};

const interrupt = ({ forward }: Passing, interruption: AbortController) => {
  interruption.abort();
  return forward();
};
const fail = async (): Promise<Reaction> => ({
  status: 400,
  body: { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'no' },
});
const signIn = 'The AWS credentials have expired.\nSign in again. ';
const again = 'Run the same command again: it continues where this one stopped.\n';

const cuts = [
  { by: 'an error', onConflict: 'fail', done: 'created', cut: fail, code: 6, said: signIn },
  { by: 'an error', onConflict: 'replace', done: 'replaced', cut: fail, code: 6, said: signIn },
  {
    by: 'Ctrl-C',
    onConflict: 'skip',
    done: 'created',
    cut: interrupt,
    code: 130,
    said: 'Interrupted.\n',
  },
];

/** Runs an import that is cut short. Returns what can be seen of it. */
const runCut = async ({ onConflict, cut }: (typeof cuts)[number]) => {
  if (onConflict === 'replace') {
    await importText(earlier);
  }
  const interruption = new AbortController();
  const begun = cutShort((passing) => cut(passing, interruption));
  const options = ['inventory', 'import', fileWith(text), '--on-conflict', onConflict, '--local'];
  const result = await ops(options, { signal: interruption.signal });
  reactNormally();
  const written = (await exported()).match(/,2,sold/g)?.length ?? 0;
  return { options, result, written, begun: begun() };
};

test.each(cuts)(
  'an import cut short by $by ($onConflict) counts the writes in flight',
  async (row) => {
    const { result, written } = await runCut(row);
    expect(written).toBeGreaterThanOrEqual(writtenBefore);
    expect(result).toEqual({
      code: row.code,
      output: `${total} read: ${written} ${row.done}, ${total - written} not yet written.\n`,
      errors: expect.stringMatching(`\npetstore: ${row.said}${again}$`),
    });
  },
);

test.each(cuts)('an import cut short by $by ($onConflict) begins no other writes', async (row) => {
  const { begun } = await runCut(row);
  expect(begun).toBeGreaterThanOrEqual(cutAt);
  expect(begun).toBeLessThanOrEqual(writtenBefore + writesAtOnce);
});

test.each(cuts)('an import cut short by $by ($onConflict) can be run again', async (row) => {
  const { options, written } = await runCut(row);
  const output = `${total} read: ${total - written} ${row.done}, ${written} unchanged.\n`;
  expect(await ops(options)).toMatchObject({ code: 0, output });
  expect(await exported()).toBe(text);
});

test.each<[string, OpsOptions]>([
  ['reads endless input', { input: null, signal: AbortSignal.abort() }],
  ['looks up entries', { input: text }],
])('an import cut short by Ctrl-C while it %s writes nothing', async (_what, settings) => {
  const interruption = new AbortController();
  stage.react = (passing) => interrupt(passing, interruption);
  const errors = expect.stringMatching(/\npetstore: Interrupted\. Nothing was written\.\n$/);
  const result = await ops(['inventory', 'import', '-', '--local'], {
    signal: interruption.signal,
    ...settings,
  });
  expect(result).toEqual({ code: 130, output: '', errors });
  expect(await stage.items()).toEqual([]);
});

test.each(['fail', 'skip', 'replace'])(
  'an import killed and rerun (%s) imports the whole file',
  async (onConflict) => {
    await importText(onConflict === 'replace' ? earlier : header);
    const child = spawnOps(['inventory', 'import', '-', '--on-conflict', onConflict, '--local'], {
      input: text,
    });
    cutShort(async () => void child.kill('SIGKILL'));
    expect((await ended(child)).code).toBe(null);
    reactNormally();
    // Writes that the child sent before it was killed may still be applied during this import.
    const { code, output } = await importText(text, '--on-conflict', onConflict, '--json');
    expect(code).toBe(0);
    const { created, replaced, unchanged } = JSON.parse(output);
    expect(created + replaced + unchanged).toBe(total);
    expect(created + replaced).toBeGreaterThan(total - cutAt);
    expect(unchanged).toBeGreaterThan(0);
    expect(await exported()).toBe(text);
  },
);
