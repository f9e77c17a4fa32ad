import { EventEmitter } from 'node:events';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { interruption } from '../../../ops/cli/interruption.ts';

beforeEach(() => void jest.useFakeTimers());

test.each([
  { what: 'one Ctrl-C', signals: ['SIGINT'], ends: 0 },
  { what: 'a Ctrl-C that npm hands on', signals: ['SIGINT', 500, 'SIGINT'], ends: 0 },
  { what: 'a second Ctrl-C', signals: ['SIGINT', 501, 'SIGINT'], ends: 1 },
  { what: 'Ctrl-C held down', signals: ['SIGINT', 300, 'SIGINT', 300, 'SIGINT'], ends: 1 },
  { what: 'a closed terminal', signals: ['SIGHUP', 501, 'SIGHUP'], ends: 0 },
  { what: 'a repeated SIGTERM', signals: ['SIGTERM', 501, 'SIGTERM'], ends: 0 },
  { what: 'one Ctrl-C after a SIGTERM', signals: ['SIGTERM', 501, 'SIGINT'], ends: 0 },
])('$what interrupts a command; a second Ctrl-C ends it at once: $ends', ({ signals, ends }) => {
  const process = new EventEmitter();
  const end = jest.fn();
  const signal = interruption(process, end);
  expect(signal.aborted).toBe(false);
  for (const step of signals) {
    if (typeof step === 'number') {
      jest.advanceTimersByTime(step);
    } else {
      process.emit(step);
    }
  }
  expect(signal.aborted).toBe(true);
  expect(end).toHaveBeenCalledTimes(ends);
});
