// Loaded into a client by --import. It is killed at one of its steps, of which the first is its first
// request: before it does something to a file or prints, before a request and after the response. Its
// clock is ahead by some milliseconds.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { KILLED_AT, CLOCK_AHEAD = '0', RIVAL } = process.env;

// Node itself opens files before.
let isStarted = false;
let steps = 0;
const step = (): void => {
  steps += isStarted ? 1 : 0;
  if (steps === Number(KILLED_AT)) {
    process.kill(process.pid, 'SIGKILL');
  }
};

/** Makes each call of a method a step. */
const watch = <Name extends string>(object: Record<Name, unknown>, name: Name): void => {
  const method = object[name] as (...args: unknown[]) => unknown;
  object[name] = (...args: unknown[]) => {
    step();
    return method.apply(object, args);
  };
};

for (const name of ['openSync', 'writeFileSync', 'fsyncSync', 'renameSync', 'rmSync'] as const) {
  watch(fs as Record<typeof name, unknown>, name);
}
syncBuiltinESMExports();
watch(process.stdout as Record<'write', unknown>, 'write');

const { fetch } = globalThis;
let rival = RIVAL;
globalThis.fetch = async (url, message) => {
  isStarted = true;
  step();
  if (message?.method === 'PATCH' && rival !== undefined) {
    // Somebody else is faster, once.
    const { Authorization, 'Content-Type': type } = message.headers as Record<string, string>;
    const headers = { Authorization, 'Content-Type': type } as Record<string, string>;
    await fetch(url, { method: 'PATCH', headers, body: rival });
    rival = undefined;
  }
  const response = await fetch(url, message);
  step();
  return response;
};

const { now } = Date;
Date.now = () => now() + Number(CLOCK_AHEAD);
