/**
 * An operation on a register that holds one value. It took effect at one moment between the two
 * times.
 */
export interface Operation {
  kind: 'write' | 'read';
  value: number;
  invoked: number;
  /** Infinity for a write that may have taken effect at any later moment, or never. */
  responded: number;
}

/**
 * Returns why no order of the operations explains what was read, or undefined if one does, that is,
 * if the register is linearizable. No value may be written twice. After Gibbons and Korach,
 * "Testing Shared Memories" (1997).
 */
export const contradiction = (operations: Operation[]): string | undefined => {
  const zones = [...Map.groupBy(operations, ({ value }) => value)].map(([value, ofValue]) => ({
    value,
    writes: ofValue.filter(({ kind }) => kind === 'write'),
    // The value must have been there from `from` to `to` or, if `from` is later, at some moment
    // between the two.
    from: Math.min(...ofValue.map(({ responded }) => responded)),
    to: Math.max(...ofValue.map(({ invoked }) => invoked)),
  }));
  for (const { value, writes, from } of zones) {
    if (writes.length !== 1) {
      return `${value} was written ${writes.length} times.`;
    }
    if (writes.some(({ invoked }) => from < invoked)) {
      return `${value} was read before it was written.`;
    }
  }
  for (const lasting of zones.filter(({ from, to }) => from < to)) {
    // Finds a value that also had to be there during part of this time, or that can only have been
    // there within it. A write that was neither acknowledged nor read has a `from` of Infinity, so
    // it never contradicts.
    const other = zones.find(
      (zone) => zone !== lasting && zone.from < lasting.to && lasting.from < zone.to,
    );
    if (other) {
      return `${other.value} was in the register while ${lasting.value} had to be.`;
    }
  }
  return undefined;
};
