import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contradiction, type Operation } from './register.ts';

/**
 * Whether some order of the operations fits their times and explains every read. Tries every order.
 */
const explainable = (operations: Operation[], value?: number): boolean =>
  operations.every(({ responded }) => responded === Number.POSITIVE_INFINITY) ||
  operations.some((next, index) => {
    const rest = operations.toSpliced(index, 1);
    return (
      rest.every(({ responded }) => responded >= next.invoked) &&
      (next.kind === 'write'
        ? explainable(rest, next.value)
        : next.value === value && explainable(rest, value))
    );
  });

test('contradiction() agrees with a search through every order', () => {
  const times = fc
    .tuple(fc.nat(12), fc.nat(6))
    .map(([invoked, length]) => ({ invoked, responded: invoked + length + 0.5 }));
  const unknown = times.map((time) => ({ ...time, responded: Number.POSITIVE_INFINITY }));
  const writes = fc.array(fc.oneof({ weight: 3, arbitrary: times }, unknown), {
    minLength: 1,
    maxLength: 3,
  });
  const operations = fc
    .tuple(writes, fc.array(fc.tuple(fc.nat(3), times), { maxLength: 4 }))
    .map(([writes, reads]): Operation[] => [
      ...writes.map((time, value) => ({ kind: 'write' as const, value, ...time })),
      ...reads.map(([value, time]) => ({ kind: 'read' as const, value, ...time })),
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
