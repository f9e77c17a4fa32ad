import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contradiction, type Operation } from './register.ts';

const write = (value: number, invoked: number, responded: number): Operation => ({
  kind: 'write',
  value,
  invoked,
  responded,
});
const read = (value: number, invoked: number, responded: number): Operation => ({
  kind: 'read',
  value,
  invoked,
  responded,
});

/** The same by trying every order: which must keep what ended before another began, and explain every read. */
const explainable = (operations: Operation[], value?: number): boolean =>
  operations.every(({ responded }) => responded === Number.POSITIVE_INFINITY) ||
  operations.some((next, index) => {
    const rest = operations.toSpliced(index, 1);
    return (
      rest.every(({ responded }) => responded >= next.invoked) &&
      (next.kind === 'write' ? explainable(rest, next.value) : next.value === value && explainable(rest, value))
    );
  });

describe('the checker of registers', () => {
  test.each<[string, Operation[]]>([
    ['nothing', []],
    ['a write and a read of it', [write(1, 0, 1), read(1, 2, 3)]],
    ['two writes at once, read in one order', [write(1, 0, 9), write(2, 0, 9), read(2, 1, 2), read(1, 3, 4)]],
    ['a read of the old value during a write', [write(1, 0, 1), write(2, 2, 9), read(1, 3, 4), read(2, 5, 6)]],
    ['a write that was lost', [write(1, 0, 1), write(2, 2, Number.POSITIVE_INFINITY), read(1, 3, 4)]],
    ['a write that came late', [write(1, 0, 1), write(2, 2, Number.POSITIVE_INFINITY), read(1, 3, 4), read(2, 9, 10)]],
  ])('explains %s', (_what, operations) => {
    expect(contradiction(operations)).toBeUndefined();
  });

  test.each<[string, Operation[], string]>([
    ['a value from nowhere', [write(1, 0, 1), read(2, 2, 3)], '2 was written 0 times.'],
    ['a value before its time', [read(1, 0, 1), write(1, 2, 3)], '1 was read before it was written.'],
    ['a stale read', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)], '2 was in the register while 1 had to be.'],
    [
      'a write that came back',
      [write(1, 0, 9), write(2, 0, 9), read(1, 1, 2), read(2, 3, 4), read(1, 5, 6)],
      '2 was in the register while 1 had to be.',
    ],
    ['a lost write', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)], '2 was in the register while 1 had to be.'],
  ])('finds %s', (_what, operations, reason) => {
    expect(contradiction(operations)).toBe(reason);
  });

  test('agrees with trying every order', () => {
    const times = fc
      .tuple(fc.nat(12), fc.nat(6))
      .map(([invoked, length]) => [invoked, invoked + length + 0.5] as const);
    const operations = fc
      .tuple(fc.array(times, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(fc.nat(2), times), { maxLength: 4 }))
      .map(([writes, reads]) => [
        ...writes.map((time, value) => write(value, ...time)),
        ...reads.map(([value, time]) => read(value % writes.length, ...time)),
      ]);
    let explained = 0;
    fc.assert(
      fc.property(operations, (history) => {
        const expected = explainable(history);
        explained += expected ? 1 : 0;
        expect(contradiction(history) === undefined).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(explained).toBeGreaterThan(500);
    expect(explained).toBeLessThan(4_500);
  });
});
