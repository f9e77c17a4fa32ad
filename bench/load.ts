/**
 * npm run bench:load [-- --seconds N]: a minute of requests, of all kinds, to the local run; then how much of an
 * answer's time is the service's, beside handlers that do nothing. Fails if an answer is not as openapi.yaml has
 * it, or if the functions go on growing.
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
import { type Expected, mixed, operations, requestsOf } from './load-mix.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
/** Until then, the functions grow to what they need. */
const warmUp = Math.min(10, seconds / 2);

/** What the functions may have in the end, of what they had then: garbage comes and goes. */
const growthAllowed = 1.25;

const startService = async () => {
  const child = fork(join(import.meta.dirname, '../local/start.ts'), ['--port', '0'], {
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

/** MiB of each child of a process: of the local run, the instances of its functions. */
const memoryOfChildren = (parent: number | undefined): number[] =>
  execFileSync('ps', ['-A', '-o', 'ppid=,rss='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
    .flatMap(([ppid, size = 0]) => (ppid === parent ? [size / 1024] : []));

const problems = new Map<string, number>();
const tell = (problem: string) => problems.set(problem, (problems.get(problem) ?? 0) + 1);

const fire = async (baseUrl: string, load: Expected[], duration: number): Promise<Result> => {
  const requests = requestsOf(baseUrl, load, tell);
  // Fewer a second than the stage's throttling lets through; as many as there is time for, so none is late.
  const result = await autocannon({
    url: baseUrl,
    connections: 8,
    overallRate: 1_500,
    ignoreCoordinatedOmission: true,
    duration,
    requests,
  });
  if (result.errors > 0) {
    tell(`${result.errors} requests had no answer`);
  }
  return result;
};

const row = (name: string, { requests, latency }: Result): string =>
  `| ${[name, requests.average.toFixed(0), latency.p50, latency.p99, latency.p99_9, latency.max].join(' | ')} |`;

const service = await startService();
const firing = fire(service.baseUrl, mixed(service.apiKey), seconds);
await sleep(warmUp * 1_000);
const early = memoryOfChildren(service.child.pid);
await sleep((seconds - warmUp) * 1_000 - 500);
const late = memoryOfChildren(service.child.pid);
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

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
const mean = (sizes: number[]) => sum(sizes) / sizes.length;
const growth = mean(late) / mean(early);
console.log(`| load | requests/s | p50 ms | p99 ms | p99.9 ms | max ms |
|---|--:|--:|--:|--:|--:|
${row(`all kinds of requests, ${seconds} s`, load)}
${row('the two operations', ours)}
${row('the same, by handlers that do nothing', bare)}

${load.requests.total} answers of all kinds, ${sum([...problems.values()])} of all answers not as they should be.
Memory of an instance, of ${late.length}: ${mean(early).toFixed(0)} MiB after ${warmUp} s, ${mean(late).toFixed(0)} MiB in the end (× ${growth.toFixed(2)}).
Beside handlers that do nothing: × ${(ours.latency.p50 / bare.latency.p50).toFixed(2)} the time at p50, × ${(ours.requests.average / bare.requests.average).toFixed(2)} the requests a second.`);

for (const [problem, times] of problems) {
  console.error(`${times} × ${problem}`);
}
if (problems.size > 0 || !(growth <= growthAllowed)) {
  process.exitCode = 1;
}
