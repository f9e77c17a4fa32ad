import { once } from 'node:events';
import { afterEach, expect, jest, test } from '@jest/globals';
import { startInstance } from '../../../local/lambda/instance.ts';
import { InstancePool } from '../../../local/lambda/instance-pool.ts';
import { optionsFor, startFunction } from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { until } from '../../support/process/until.ts';

const pid = 'process.pid';

afterEach(() => void jest.useRealTimers());

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

const poolOf = (): InstancePool => {
  const pool = new InstancePool(optionsFor());
  atEnd(() => pool.close());
  return pool;
};

test('instances serve one invocation each, and are used again, the last one first', async () => {
  const pool = poolOf();
  const [first, second] = [await pool.acquire(), await pool.acquire()];
  expect(second).not.toBe(first);
  pool.release(second);
  pool.release(first);
  expect([await pool.acquire(), await pool.acquire()]).toStrictEqual([first, second]);
});

test('instances are at most ten, and further invocations wait in their turn', async () => {
  const pool = poolOf();
  const [first] = await Promise.all(Array.from({ length: 10 }, () => pool.acquire()));
  const turns: number[] = [];
  const waiting = [1, 2].map(async (turn) => {
    const instance = await pool.acquire();
    turns.push(turn);
    pool.release(instance);
    return instance;
  });
  pool.release(first as NonNullable<typeof first>);
  expect(await Promise.all(waiting)).toStrictEqual([first, first]);
  expect(turns).toStrictEqual([1, 2]);
});

test.each([
  { when: 'before', releaseFirst: true },
  { when: 'after', releaseFirst: false },
])('instances that are released $when they ended are replaced', async ({ releaseFirst }) => {
  const pool = poolOf();
  const first = await pool.acquire();
  if (releaseFirst) {
    pool.release(first);
  }
  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  if (!releaseFirst) {
    pool.release(first);
  }
  expect((await pool.acquire()).process.pid).not.toBe(first.process.pid);
});

test('instances that fail at init make room for others', async () => {
  const failing = optionsFor('buffered', "throw new Error('no table');");
  // With a debugger, a function has one instance, so the second waits until the first has failed.
  const pool = new InstancePool({ ...failing, inspectPort: 0 });
  const failures: string[] = [];
  for (const _turn of [1, 2]) {
    pool.acquire().catch(({ message }) => failures.push(message));
  }
  await until('the failures of both', () => failures.length === 2);
  expect(failures).toStrictEqual(['no table', 'no table']);
});

test('instances are new after a renewal, but a busy one ends only after its invocation', async () => {
  const { invoke, renew } = startFunction();
  const before = await invoke(pid);
  const busy = invoke('sleep(500).then(() => process.pid)');
  renew();
  const after = await invoke(pid);
  expect(await busy).toBe(before);
  expect(after).not.toBe(before);
  expect(await invoke(pid)).toBe(after);
});

test('instances end with their function, and say nothing', async () => {
  const { invoke, close, logged } = startFunction();
  const instance = await invoke(pid);
  close();
  await until('the end of the process', () => !isRunning(Number(instance)));
  expect(logged).toStrictEqual([]);
});

test('an instance that is being started when its function ends, ends too', async () => {
  const { invoke, close } = startFunction();
  const invocation = invoke(pid);
  close();
  await expect(invocation).rejects.toThrow();
});

test('instances end with the process that started them', async () => {
  const instance = await startInstance(optionsFor());
  await instance.idle();
  instance.process.disconnect();
  expect(await once(instance.process, 'exit')).toStrictEqual([0, null]);
});

test('instances outlive a Ctrl-C, which reaches them as well as their parent process', async () => {
  const instance = await startInstance(optionsFor());
  await instance.idle();
  instance.process.kill('SIGINT');
  await instance.invoke('"1 + 1"');
  await instance.idle();
  expect(instance.process.exitCode).toBeNull();
  instance.end();
});

test('a debugger may stop a function for an hour at init and in an invocation, and others wait', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const begun = Promise.withResolvers<string>();
  const { invoke, warmUp } = startFunction({
    inspectPort: 0,
    log: (line) => line === 'begun' && begun.resolve(line),
  });
  const starting = warmUp();
  jest.advanceTimersByTime(3_600_000);
  await starting;
  const stopped = "process.stdout.write('begun\\n'); sleep(100).then(() => process.pid)";
  const invocations = [invoke(stopped), invoke(pid)];
  await begun.promise;
  jest.advanceTimersByTime(3_600_000);
  const [first, second] = await Promise.all(invocations);
  expect(second).toBe(first);
});

test('init has ten seconds', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const { idle } = await startInstance({ ...optionsFor('buffered', 'for (;;);'), log });
  jest.advanceTimersByTime(10_000);
  await expect(idle()).rejects.toThrow(new Error('Init timed out after 10.00 seconds'));
  expect(logged).toStrictEqual(['RequestId: - Error: Init timed out after 10.00 seconds']);
});
