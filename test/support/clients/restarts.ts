import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import pMap from 'p-map';
import { type LocalRun, localRun } from '../local/local-run.ts';
import { project } from '../process/tools.ts';
import { type Program, runClient, type Target } from './program.ts';
import { answered, entryOf, list, type Reply, scriptedService } from './scripted-service.ts';
import { newFile } from './sellers.ts';

/** A program that takes PET_ID, QUANTITY and FILE sells three of a pet. */
interface Sale {
  petId: string;
  file: string;
}

const killed = pathToFileURL(join(project, 'test/support/clients/killed.ts')).href;

/** Starts the program, which ends or is killed. */
const start = ([node, main = '']: Program, target: Target, { petId, file }: Sale) =>
  runClient([node, '--import', killed, main], target, petId, '3', file);

/** More steps than a sale has, also if somebody else is faster, once. */
const steps = 28;

/** For each step a sale that is killed there, and one before which somebody else sells one. */
const salesIn = (folder: string) =>
  Array.from({ length: 2 * steps }, (_, index) => {
    const petId = `${1_000 + index}`;
    const rival = index % 2 === 1 ? { RIVAL: '{"quantity":11}' } : {};
    return {
      petId,
      file: join(folder, `${petId}.json`),
      env: { KILLED_AT: `${1 + (index >> 1)}`, ...rival },
    };
  });

const put = async ({ tables }: LocalRun, sales: Sale[]): Promise<void> => {
  for (const { petId } of sales) {
    await tables.client.putItem({
      TableName: tables.inventory,
      Item: { petId: { N: petId }, quantity: { N: '12' }, status: { S: 'available' } },
    });
  }
};

/** Returns how often each pet was sold: of twelve, a rival sells one, and a sale is of three. */
const soldOf = async ({ tables }: LocalRun): Promise<Record<string, number>> => {
  const { Items = [] } = await tables.client.scan({ TableName: tables.inventory });
  return Object.fromEntries(
    Items.map(({ petId, quantity }) => [petId?.N, Math.floor((12 - Number(quantity?.N)) / 3)]),
  );
};

const isSold = /^Sold 3, \d are left\.\n$/;
const isUnsure =
  /^It may have been applied: check the entry\. At \S+Z, pet \d+ was to go from "\d+-available" to \d+\. If it did not, delete \S+ and start again\.\n$/;

/** Tests that a program which is killed and started again sells once, or says what to check. */
export const testRestarts = (name: string, program: Program): void => {
  test.each([
    { when: 'within five minutes', ahead: 0 },
    { when: 'after five minutes, when the service has forgotten it', ahead: 300_000 },
  ])(
    `what ${name} sells is sold once, wherever it is killed, if it is started again $when`,
    async ({ ahead }) => {
      const sales = salesIn(dirname(newFile()));
      let run = await localRun();
      await put(run, sales);
      const first = await pMap(sales, ({ env, ...sale }) => start(program, { ...run, env }, sale), {
        concurrency: 4,
      });
      // The last ones are not killed, so the others are killed at each step there is.
      expect(first.slice(-2).map(({ code }) => code)).toStrictEqual([0, 0]);

      if (ahead > 0) {
        // Another run knows the entries, and no Idempotency-Key.
        const { client, inventory: TableName } = run.tables;
        const { Items = [] } = await client.scan({ TableName });
        await run.stop();
        run = await localRun();
        for (const Item of Items) {
          await run.tables.client.putItem({ TableName, Item });
        }
      }
      const env = { CLOCK_AHEAD: `${ahead}` };
      const ends = await pMap(sales, (sale) => start(program, { ...run, env }, sale), {
        concurrency: 4,
      });
      const sold = await soldOf(run);
      await run.stop();
      const wrong = sales
        .map(({ petId }, index) => ({ petId, sold: sold[petId], ...ends[index] }))
        .filter(
          (end) =>
            !(isSold.test(`${end.output}`) && end.sold === 1) &&
            !(isUnsure.test(`${end.errors}`) && Number(end.sold) <= 1),
        );
      expect(wrong).toStrictEqual([]);
      expect(ends.some(({ errors }) => isUnsure.test(errors))).toBe(ahead > 0);
    },
  );
};

/** Tests that a program sends nothing if its file does not tell that it may. */
export const testSaleFiles = (name: string, program: Program): void => {
  test.each([
    { what: 'another sale', text: '{"petId":"1","sold":"2"}' },
    { what: 'no sale', text: 'petId,quantity' },
  ])(`${name} sends nothing if its file contains $what, and leaves it`, async ({ what, text }) => {
    const { baseUrl, methods } = await scriptedService();
    const sale = { petId: '1', file: newFile() };
    writeFileSync(sale.file, text);
    const end = await start(program, { baseUrl, apiKey: 'petstore_staging_secret' }, sale);
    expect({ ...end, methods: methods(), text: readFileSync(sale.file, 'utf8') }).toStrictEqual({
      code: 1,
      output: '',
      errors: `${sale.file} contains ${what}.\n`,
      methods: [],
      text,
    });
  });

  test(`${name} says that it has sold, even if its file cannot say so`, async () => {
    const sale = { petId: '1', file: newFile() };
    const sold: Reply = (...request) => {
      // Where the program writes first.
      mkdirSync(`${sale.file}.new`);
      return answered(entryOf('1', '9'))(...request);
    };
    const { baseUrl } = await scriptedService([list, sold]);
    const end = await start(program, { baseUrl, apiKey: 'petstore_staging_secret' }, sale);
    expect(end).toStrictEqual({
      code: 1,
      output: '',
      errors: `They are sold, but ${sale.file} does not say so: EISDIR\n`,
    });
  });

  test(`${name} sends nothing again if the clock has been set back`, async () => {
    const { baseUrl, methods } = await scriptedService();
    const target = { baseUrl, apiKey: 'petstore_staging_secret' };
    const sale = { petId: '1', file: newFile() };
    // Two steps are the list, and six the file; the next one would be the update.
    await start(program, { ...target, env: { KILLED_AT: '9' } }, sale);
    const { code, errors } = await start(
      program,
      { ...target, env: { CLOCK_AHEAD: '-60000' } },
      sale,
    );
    expect({ code, errors, methods: methods() }).toStrictEqual({
      code: 1,
      errors: expect.stringMatching(isUnsure),
      methods: ['GET'],
    });
  });
};
