/** Something done with a register that holds one value: it took effect at one moment between the two times. */
export interface Operation {
  kind: 'write' | 'read';
  value: number;
  invoked: number;
  /** Infinity for a write of which nobody knows whether, or when, it took effect. */
  responded: number;
}

/**
 * Why no order of the operations explains what was read, or undefined where one does: the register is
 * linearizable then. No value may be written twice. After Gibbons and Korach, "Testing Shared Memories" (1997).
 */
export const contradiction = (operations: Operation[]): string | undefined => {
  const zones = [...Map.groupBy(operations, ({ value }) => value)].map(([value, ofValue]) => ({
    value,
    writes: ofValue.filter(({ kind }) => kind === 'write'),
    // From when to when the value must have been there: where `from` is later than `to`, for a moment at least.
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
    // One that had to be there at some time of the other's, or that cannot have been there but within it. Of a write of
    // which nobody knows, and which nobody has read, `from` is Infinity: it is in nobody's way.
    const other = zones.find((zone) => zone !== lasting && zone.from < lasting.to && lasting.from < zone.to);
    if (other) {
      return `${other.value} was in the register while ${lasting.value} had to be.`;
    }
  }
  return undefined;
};
