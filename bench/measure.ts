import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** One handler to measure: what to load, in which environment, and the event it gets. */
export interface Subject {
  bundle: string;
  environment: Record<string, string>;
  event: object;
}

/** What one process of a subject took. */
export interface Measurement {
  response: APIGatewayProxyResult;
  /** From the start of the process to the first response; peakMb is the largest resident set. */
  cold: { cpuMs: number; wallMs: number; peakMb: number };
  /** CPU of one request, the mean of many. */
  warmCpuMs: number;
  /** Wall time of each of these requests. */
  latenciesMs: number[];
}

/** How many requests follow the first: some that do not count, to warm up, and those that do. */
export interface Requests {
  warmUp: number;
  measured: number;
}

/** Measures a whole process of its own. */
export const measure = async (subject: Subject, { warmUp, measured }: Requests): Promise<Measurement> => {
  const { bundle, environment, event } = subject;
  const requests = [warmUp, measured].map(String);
  const runner = join(import.meta.dirname, 'run-handler.cjs');
  const child = spawn(process.execPath, [runner, bundle, JSON.stringify(event), ...requests], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const exited = once(child, 'exit');
  const measurement = json(child.stdio[3] as Readable).catch(() => undefined);
  const [code] = await exited;
  if (code !== 0) {
    throw new Error(`${bundle} failed.`);
  }
  return (await measurement) as Measurement;
};

export const median = (values: number[]): number => quantile(values, 0.5);

/** The value that a share of all values does not exceed. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
