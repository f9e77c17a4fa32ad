/** Something done with a register that holds one value: it took effect at one moment between the two times. */
export interface Operation {
  kind: 'write' | 'read';
  value: number;
  invoked: number;
  /** Infinity for a write of which nobody knows whether, or when, it took effect. */
  responded: number;
}

/** From when to when a value must have been in the register: where `from` is later than `to`, for a moment at least. */
interface Zone {
  value: number;
  from: number;
  to: number;
}

/**
 * Why no order of the operations explains what was read, or undefined where one does: the register is
 * linearizable then. No value may be written twice. After Gibbons and Korach, "Testing Shared Memories" (1997).
 */
export const contradiction = (operations: Operation[]): string | undefined => {
  const zones: Zone[] = [];
  for (const [value, ofValue] of Map.groupBy(operations, ({ value }) => value)) {
    const writes = ofValue.filter(({ kind }) => kind === 'write');
    const from = Math.min(...ofValue.map(({ responded }) => responded));
    const to = Math.max(...ofValue.map(({ invoked }) => invoked));
    if (writes.length !== 1) {
      return `${value} was written ${writes.length} times.`;
    }
    if (writes.some(({ invoked }) => from < invoked)) {
      return `${value} was read before it was written.`;
    }
    zones.push({ value, from, to });
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
