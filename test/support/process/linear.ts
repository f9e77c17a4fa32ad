/** Returns the CPU milliseconds of the fastest of five runs. */
const cpuTime = (run: () => void): number => {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
};

/**
 * Whether four times the input takes less than eight times the CPU; quadratic time would take
 * sixteen times. One millisecond allows for a coarse clock. A failed comparison is repeated twice,
 * as garbage collection may cause it.
 */
export const isLinear = <Input>(
  read: (input: Input) => unknown,
  inputOf: (length: number) => Input,
): boolean => {
  const reading = (input: Input) => () => {
    try {
      read(input);
    } catch {
      // Some inputs are malformed, and some are nested too deeply for the stack.
    }
  };
  const [short, long] = [reading(inputOf(25_000)), reading(inputOf(100_000))];
  short();
  return [1, 2, 3].some(() => cpuTime(long) < 8 * (cpuTime(short) + 1));
};
