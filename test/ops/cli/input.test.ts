import { EventEmitter } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { expect, jest, test } from '@jest/globals';
import { interruption } from '../../../ops/cli/interruption.ts';
import { confirm, readSecret } from '../../../ops/cli/questions.ts';
import type { Terminal } from '../../../ops/cli/terminal.ts';

const question = 'Deploy prod?';
const unconfirmed = { question, isConfirmed: false };

const terminalOf = (isTTY: boolean) => {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = new PassThrough({ encoding: 'utf8' });
  return { stdin, stderr, terminal: { stdin, stderr } as unknown as Terminal };
};

test.each(['y\r', 'YES\r', 'yes\r'])('%j confirms', async (reply) => {
  const { stdin, stderr, terminal } = terminalOf(true);
  stdin.write(reply);
  await confirm(terminal, unconfirmed);
  expect(stderr.read()).toMatch(/Deploy prod\? \[y\/N\] .*\r\n$/s);
});

test.each(['\r', 'n\r', 'yess\r', 'ay\r', '\x04'])('%j does not confirm', async (reply) => {
  const { stdin, terminal } = terminalOf(true);
  stdin.write(reply);
  await expect(confirm(terminal, unconfirmed)).rejects.toMatchObject({
    code: 'not_confirmed',
    message: 'Nothing was changed.',
  });
});

test('Ctrl-C interrupts a question', async () => {
  const { stdin, terminal } = terminalOf(true);
  stdin.write('\x03');
  await expect(confirm(terminal, unconfirmed)).rejects.toMatchObject({ code: 'interrupted' });
});

test('a signal interrupts a question', async () => {
  const { terminal } = terminalOf(true);
  const interruption = new AbortController();
  const asking = confirm(terminal, { ...unconfirmed, signal: interruption.signal });
  interruption.abort();
  await expect(asking).rejects.toMatchObject({ code: 'interrupted' });
});

test('nothing is asked if there is nothing to confirm', async () => {
  const { stderr, terminal } = terminalOf(false);
  await confirm(terminal, { question, isConfirmed: true });
  expect(stderr.read()).toBe(null);
});

const needed = {
  code: 'not_confirmed',
  message: 'This needs a confirmation: Deploy prod?',
  details: { hint: 'There is no terminal to ask on. Confirm with --yes.' },
};

test('without a terminal, a question is an error', async () => {
  const { terminal } = terminalOf(false);
  await expect(confirm(terminal, unconfirmed)).rejects.toMatchObject(needed);
});

test('after the terminal has closed, a question is an error', async () => {
  const { stdin, terminal } = terminalOf(true);
  stdin.destroy();
  await expect(confirm(terminal, unconfirmed)).rejects.toMatchObject(needed);
});

test('a question leaves its streams alone once it is answered', async () => {
  const { stdin, stderr, terminal } = terminalOf(true);
  stdin.write('y\r');
  await confirm(terminal, unconfirmed);
  stderr.read();
  stderr.emit('resize');
  stdin.write('x');
  expect(stderr.read()).toBe(null);
});

test('control characters in a question do not reach the terminal', async () => {
  const { stdin, stderr, terminal } = terminalOf(true);
  stdin.write('y\r');
  await confirm(terminal, { question: 'Remove \u009b2K?', isConfirmed: false });
  expect(stderr.read()).toContain('Remove \\u009b2K? [y/N] ');
});

test('a secret that is typed is not shown', async () => {
  const { stdin, stderr, terminal } = terminalOf(true);
  stdin.write('secret\r');
  expect(await readSecret(terminal, 'API key: ')).toBe('secret');
  expect(stderr.read()).toBe('API key: \n');
});

test('a secret in a pipe is read up to a limit', async () => {
  const chunk = 'x'.repeat(50_000);
  const stdin = Readable.from([chunk, chunk, chunk]);
  const text = await readSecret({ stdin } as Terminal, '');
  expect(text.length).toBe(2 * chunk.length);
});

test.each([
  { what: 'one Ctrl-C', signals: ['SIGINT'], ends: 0 },
  { what: 'a Ctrl-C that npm hands on', signals: ['SIGINT', 500, 'SIGINT'], ends: 0 },
  { what: 'a second Ctrl-C', signals: ['SIGINT', 501, 'SIGINT'], ends: 1 },
  { what: 'Ctrl-C held down', signals: ['SIGINT', 300, 'SIGINT', 300, 'SIGINT'], ends: 1 },
  { what: 'a closed terminal', signals: ['SIGHUP', 501, 'SIGHUP'], ends: 0 },
  { what: 'a repeated SIGTERM', signals: ['SIGTERM', 501, 'SIGTERM'], ends: 0 },
  { what: 'one Ctrl-C after a SIGTERM', signals: ['SIGTERM', 501, 'SIGINT'], ends: 0 },
])('$what interrupts a command; a second Ctrl-C ends it at once: $ends', ({ signals, ends }) => {
  jest.useFakeTimers();
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
  jest.useRealTimers();
});
