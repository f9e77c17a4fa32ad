import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contradiction, type Operation } from './register.ts';

/** Reads 'w1 0-5, r1 2-3': 1 was written from 0 to 5 and read from 2 to 3; without an end, nobody knows of it. */
const historyOf = (text: string): Operation[] =>
  [...text.matchAll(/([wr])(\d+) (\d+)-(\d*)/g)].map(([, kind, value, invoked, responded]) => ({
    kind: kind === 'w' ? 'write' : 'read',
    value: Number(value),
    invoked: Number(invoked),
    responded: Number(responded || Infinity),
  }));

const impossible = '2 was in the register while 1 had to be.';

test.each([
  ['nothing', '', undefined],
  ['a write and a read of it', 'w1 0-1, r1 2-3', undefined],
  ['two writes at once, read in one order', 'w1 0-9, w2 0-9, r2 1-2, r1 3-4', undefined],
  ['a read of the old value during a write', 'w1 0-1, w2 2-9, r1 3-4, r2 5-6', undefined],
  ['a write that was lost', 'w1 0-1, w2 2-, r1 3-4', undefined],
  ['a write that came late', 'w1 0-1, w2 2-, r1 3-4, r2 9-10', undefined],
  ['a value from nowhere', 'w1 0-1, r2 2-3', '2 was written 0 times.'],
  ['a value before its time', 'r1 0-1, w1 2-3', '1 was read before it was written.'],
  ['a stale read', 'w1 0-1, w2 2-3, r1 4-5', impossible],
  ['a write that came back', 'w1 0-9, w2 0-9, r1 1-2, r2 3-4, r1 5-6', impossible],
])('the checker of registers judges %s', (_what, history, reason) => {
  expect(contradiction(historyOf(history))).toBe(reason);
});

/** Whether trying every order finds one that keeps what ended before another began, and explains every read. */
const explainable = (operations: Operation[], value?: number): boolean =>
  operations.every(({ responded }) => responded === Number.POSITIVE_INFINITY) ||
  operations.some((next, index) => {
    const rest = operations.toSpliced(index, 1);
    return (
      rest.every(({ responded }) => responded >= next.invoked) &&
      (next.kind === 'write' ? explainable(rest, next.value) : next.value === value && explainable(rest, value))
    );
  });

test('the checker of registers agrees with trying every order', () => {
  const times = fc
    .tuple(fc.nat(12), fc.nat(6))
    .map(([invoked, length]) => ({ invoked, responded: invoked + length + 0.5 }));
  const operations = fc
    .tuple(fc.array(times, { minLength: 1, maxLength: 3 }), fc.array(fc.tuple(fc.nat(2), times), { maxLength: 4 }))
    .map(([writes, reads]): Operation[] => [
      ...writes.map((time, value) => ({ kind: 'write' as const, value, ...time })),
      ...reads.map(([value, time]) => ({ kind: 'read' as const, value: value % writes.length, ...time })),
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
