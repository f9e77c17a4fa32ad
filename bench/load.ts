/**
 * npm run bench:load [-- --seconds N]: sends requests of all kinds to the local run for a minute.
 * Then compares the latency of its two operations with that of handlers that do nothing. Fails if a
 * response breaks openapi.yaml, or if the functions' memory keeps growing.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon, { type Result } from 'autocannon';
import { createApiKey } from '../functions/keys/api-key.ts';
import { type Expected, mixed, operations, overallRate, requestsOf } from './load-mix.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
/** Seconds in which the functions' memory grows to what they need. */
const warmUp = Math.min(10, seconds / 2);

/**
 * The largest allowed ratio of memory at the end to memory after the warm-up. The amount of garbage
 * varies.
 */
const growthAllowed = 1.2;

/**
 * MiB to which V8 lets an instance grow in its first thousand requests. On a slow machine they
 * outlast the warm-up.
 */
const settled = 95;

const startService = async () => {
  const child = fork(join(import.meta.dirname, '../ops/petstore.cjs'), ['start', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  process.on('exit', () => child.kill('SIGINT'));
  let [baseUrl, apiKey] = ['', ''];
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    baseUrl ||= /^Base URL: (\S+)/.exec(line)?.[1] ?? '';
    apiKey ||= /^API key: (\S+)/.exec(line)?.[1] ?? '';
    if (line.startsWith('curl')) {
      break;
    }
  }
  child.stdout?.resume();
  return { child, baseUrl, apiKey };
};

/**
 * Returns the mean memory in MiB of each function's instances, by function name. `parent`: the
 * local run's PID.
 */
const memoryOfInstances = (parent: number | undefined): Map<string, number> => {
  const instances = execFileSync('ps', ['-A', '-ww', '-o', 'ppid=,rss=,args='], {
    encoding: 'utf8',
  })
    .split('\n')
    .map((line) => /^ *(\d+) +(\d+) .*:function:(\S+)/.exec(line)?.slice(1) ?? [])
    .flatMap(([ppid, size, name = '']) =>
      ppid === String(parent) ? [{ name, size: Number(size) / 1024 }] : [],
    );
  const byName = Map.groupBy(instances, ({ name }) => name);
  return new Map([...byName].map(([name, ofName]) => [name, mean(ofName.map(({ size }) => size))]));
};

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const mean = (numbers: number[]) => sum(numbers) / numbers.length;

const problems = new Map<string, number>();
const report = (problem: string) => problems.set(problem, (problems.get(problem) ?? 0) + 1);

const fire = async (baseUrl: string, load: Expected[], duration: number): Promise<Result> => {
  const requests = requestsOf(baseUrl, load, report);
  // The rate is an upper limit, so a request that is sent later than the rate allows does not count
  // as slow.
  const result = await autocannon({
    url: baseUrl,
    connections: 8,
    overallRate,
    ignoreCoordinatedOmission: true,
    duration,
    requests,
  });
  if (result.errors > 0) {
    report(`${result.errors} requests had no response`);
  }
  return result;
};

const row = (name: string, { requests, latency }: Result): string => {
  const { p50, p99, p99_9, max } = latency;
  return `| ${[name, requests.average.toFixed(0), p50, p99, p99_9, max].join(' | ')} |`;
};

const service = await startService();
const firing = fire(service.baseUrl, mixed(service.apiKey), seconds);
await sleep(warmUp * 1_000);
const early = memoryOfInstances(service.child.pid);
await sleep((seconds - warmUp) * 1_000 - 500);
const late = memoryOfInstances(service.child.pid);
const load = await firing;
const ours = await fire(service.baseUrl, operations(service.apiKey), seconds / 4);
service.child.disconnect();
service.child.kill('SIGINT');

const bareGateway = fork(join(import.meta.dirname, 'bare-gateway.ts'), {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
const [bareUrl] = await once(bareGateway, 'message');
await fire(bareUrl, operations(createApiKey('staging')), warmUp);
const bare = await fire(bareUrl, operations(createApiKey('staging')), seconds / 4);
bareGateway.kill();

/**
 * MiB per instance of each function after the warm-up and at the end; NaN where the function has no
 * instance any more.
 */
const growth = [...early].map(([name, before]) => {
  const after = late.get(name) ?? NaN;
  return { name, before, after, met: after <= Math.max(before, settled) * growthAllowed };
});
const ratio = (value: number, base: number): string => `× ${(value / base).toFixed(2)}`;
const growthLines = growth.map(({ name, before, after }) => {
  const sizes = `${before.toFixed(0)} and ${after.toFixed(0)} MiB`;
  return `- ${name}: ${sizes} (${ratio(after, before)})`;
});
const broken = sum([...problems.values()]);
const [ourRate, bareRate] = [ours.requests.average, bare.requests.average];
console.log(`| load | requests/s | p50 ms | p99 ms | p99.9 ms | max ms |
|---|--:|--:|--:|--:|--:|
${row(`all kinds of requests, ${seconds} s`, load)}
${row('the two operations', ours)}
${row('the same, by handlers that do nothing', bare)}

${load.requests.total} responses of all kinds; of all responses, ${broken} broke the contract.
Memory of an instance after ${warmUp} s and at the end:
${growthLines.join('\n')}
Versus handlers that do nothing: p50 ${ratio(ours.latency.p50, bare.latency.p50)}, \
requests a second ${ratio(ourRate, bareRate)}.`);

for (const { name, after } of growth.filter(({ met }) => !met)) {
  console.error(`${name} grew to ${after.toFixed(0)} MiB`);
}
for (const [problem, times] of problems) {
  console.error(`${times} × ${problem}`);
}
if (problems.size > 0 || growth.length < 3 || growth.some(({ met }) => !met)) {
  process.exitCode = 1;
}
