import { PassThrough } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { interruption } from '../../../ops/start/interruption.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the signal of a run, and what it prints to. */
const started = () => {
  const stdout = new PassThrough();
  return { interrupted: interruption({ stdout }), stdout };
};

afterEach(() => signals.forEach((signal) => void process.removeAllListeners(signal)));

test.each(signals)('%s interrupts a run, and once more ends the process at once', (signal) => {
  const { interrupted } = started();
  expect(interrupted.aborted).toBe(false);
  process.emit(signal);
  expect(interrupted.aborted).toBe(true);
  // Without a listener, it does what it does to every process.
  expect(process.listenerCount(signal)).toBe(0);
});

test('a run that nobody reads any more is interrupted, and says why', () => {
  const { interrupted, stdout } = started();
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  expect(interrupted.reason.message).toBe(
    'Not all of the output was written: whoever reads it left early.',
  );
});
