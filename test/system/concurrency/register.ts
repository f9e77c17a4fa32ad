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
    const [write, ...others] = ofValue.filter(({ kind }) => kind === 'write');
    const reads = ofValue.filter(({ kind }) => kind === 'read');
    if (!write || others.length > 0) {
      return `${value} was written ${others.length + (write ? 1 : 0)} times.`;
    }
    if (reads.some(({ responded }) => responded < write.invoked)) {
      return `${value} was read before it was written.`;
    }
    if (reads.length > 0 || write.responded !== Number.POSITIVE_INFINITY) {
      const from = Math.min(...ofValue.map(({ responded }) => responded));
      zones.push({ value, from, to: Math.max(...ofValue.map(({ invoked }) => invoked)) });
    }
  }
  const lasting = zones.filter(({ from, to }) => from < to);
  for (const one of lasting) {
    const other = zones.find((zone) => zone !== one && clashes(one, zone));
    if (other) {
      return `${other.value} was in the register while ${one.value} had to be.`;
    }
  }
  return undefined;
};

/** Whether another value had to be there within the time that the first had to stay. */
const clashes = (lasting: Zone, { from, to }: Zone): boolean =>
  from < to ? from < lasting.to && lasting.from < to : lasting.from < to && from < lasting.to;
