import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { inTurn } from '../../../functions/dynamodb/in-turn.ts';
import { busyTime, busyWait } from '../../../functions/shared/time-limits.ts';

/** Returns how long a write waits that is always held up, if each attempt takes 10 ms. */
const waitsOf = async (error: Error, limit?: number): Promise<number[]> => {
  const waits: number[] = [];
  let now = 0;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((goOn: () => void, wait: number) => {
    waits.push(wait);
    now += wait;
    goOn();
  }) as never);
  const send = async () => {
    now += 10;
    throw error;
  };
  const patience = { elapsed: () => now, ...(limit && { limit }) };
  await expect(inTurn(send, patience)).rejects.toBe(error);
  return waits;
};

const details = { message: '', $metadata: {} };

test('a write that is held up waits ever longer, and is sent once more when its time ends', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(1);
  const waits = await waitsOf(new TransactionConflictException(details));
  expect(waits.slice(0, -1)).toStrictEqual(
    waits.slice(0, -1).map((_, index) => busyWait(index + 1)),
  );
  expect(waits.reduce((sum, wait) => sum + wait + 10, 0)).toBe(busyTime);
});

test('it waits at random, and no longer than a limit of its own', async () => {
  jest.spyOn(Math, 'random').mockReturnValueOnce(0.2).mockReturnValue(0.5);
  const waits = [0.2 * busyWait(1), 0.5 * busyWait(2)];
  const limit = waits.reduce((sum, wait) => sum + 10 + wait, 15);
  expect(await waitsOf(new TransactionConflictException(details), limit)).toStrictEqual([
    ...waits,
    5,
  ]);
});

test('a write that fails otherwise is not sent again', async () => {
  expect(await waitsOf(new Error('denied'))).toStrictEqual([]);
});
