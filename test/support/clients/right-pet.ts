import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type LocalRun, localRun } from '../local/local-run.ts';
import { type Program, runClient } from './program.ts';

const petIds = [-9223372036854775808n, 9007199254740993n, 9223372036854775807n];
/** The entry that a client would change if it rounded 9007199254740993. */
const decoy = { petId: { N: '9007199254740992' }, quantity: { N: '3' }, status: { S: 'sold' } };

const startWithDecoy = async (): Promise<LocalRun> => {
  const run = await localRun();
  const { client, inventory } = run.tables;
  await client.send(new PutItemCommand({ TableName: inventory, Item: decoy }));
  return run;
};

let shared: Promise<LocalRun> | undefined;
/** The service that all clients of one test file change. */
const sharedRun = (): Promise<LocalRun> => {
  shared ??= startWithDecoy();
  return shared;
};

/** Returns the quantity of every entry by petId. */
export const quantitiesOf = async (run: LocalRun): Promise<Map<bigint, bigint>> => {
  const { body } = await run.send({ path: '/inventory' });
  return new Map(
    (body as { petId: bigint; quantity: bigint }[]).map(({ petId, quantity }) => [petId, quantity]),
  );
};

/**
 * Tests that a program, which takes PET_ID and QUANTITY and prints the updated entry, changes the
 * entry of this petId and no other.
 */
export const testRightPet = (name: string, prepare: () => Promise<Program>): void =>
  describe(name, () => {
    let program: Program;
    let run: LocalRun;
    beforeAll(async () => {
      program = await prepare();
      run = await sharedRun();
    });

    test.each(petIds)('changes the pet %s and no other', async (petId) => {
      const before = await quantitiesOf(run);
      const quantity = Number(before.get(petId)) + 1;
      const end = await runClient(program, run, `${petId}`, `${quantity}`);
      expect(end).toEqual({
        code: 0,
        output: expect.stringMatching(new RegExp(`"petId": ?${petId},`)),
        errors: '',
      });
      expect(await quantitiesOf(run)).toEqual(before.set(petId, BigInt(quantity)));
    });
  });
