import { expect, jest, test } from '@jest/globals';
import { inspectedFunction } from '../../../local/lambda/inspected-function.ts';
import { evaluating, optionsFor } from '../../support/local/fixture-function.ts';
import { atEnd } from '../../support/process/at-end.ts';

test('invocations wait an hour for an instance that a debugger has stopped', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const { inspector, invoke, close } = inspectedFunction(optionsFor(evaluating), 0);
  atEnd(close);
  await inspector;
  const invocations = [invoke('1'), invoke('2')];
  jest.advanceTimersByTime(3_600_000);
  expect(await Promise.all(invocations)).toEqual([1, 2]);
  jest.useRealTimers();
});
