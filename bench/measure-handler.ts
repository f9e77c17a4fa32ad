import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { Handler } from './handlers.ts';

/** What one process measured that ran a handler. Times are in milliseconds, memory is in MiB. */
export interface Measurement {
  /** The handler's first result. */
  result: unknown;
  /** From the start of the process to that result; peakMb is the largest resident set. */
  cold: { cpuMs: number; wallMs: number; peakMb: number };
  /** Mean CPU time of a measured request. */
  warmCpuMs: number;
}

/** How many requests follow the first: those that only warm up, then those that are measured. */
export interface Requests {
  warmUp: number;
  measured: number;
}

/**
 * Runs a handler in a new process.
 * @throws Error if it fails, or if its result is not the correct one
 */
export const measureHandler = async (
  { name, bundle, environment, event, check }: Handler,
  { warmUp, measured }: Requests,
): Promise<Measurement> => {
  const program = join(import.meta.dirname, 'run-handler.cjs');
  const args = [program, bundle, JSON.stringify(event), String(warmUp), String(measured)];
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  const written = json(child.stdio[3] as Readable).catch(() => undefined);
  const [code] = await exited;
  const measurement = (await written) as Measurement | undefined;
  if (code !== 0 || measurement === undefined) {
    throw new Error(`The handler failed: ${name}.`);
  }
  check(measurement.result);
  return measurement;
};
