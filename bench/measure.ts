import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** A handler to measure: the bundle to load, its environment, and the event that it gets. */
export interface Subject {
  bundle: string;
  environment: Record<string, string>;
  event: object;
}

/** The measurements of one process that ran a subject. */
export interface Measurement {
  response: APIGatewayProxyResult;
  /**
   * From the start of the process to its first response; peakMb is the largest resident set, in
   * MiB.
   */
  cold: { cpuMs: number; wallMs: number; peakMb: number };
  /** Mean CPU time of a measured request. */
  warmCpuMs: number;
  /** Wall time of each measured request. */
  latenciesMs: number[];
}

/**
 * The number of requests after the first one: those that only warm up, then those that are
 * measured.
 */
export interface Requests {
  warmUp: number;
  measured: number;
}

/** Runs a subject in a new process and measures it. */
export const measure = async (
  subject: Subject,
  { warmUp, measured }: Requests,
): Promise<Measurement> => {
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

/** Returns the value that the given share (0 to 1) of all values does not exceed. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};
