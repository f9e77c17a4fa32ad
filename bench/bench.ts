/**
 * npm run bench: the CPU time of the PATCH handler's cold start and of its warm requests, next to
 * other ways to write it. Each runs in processes of its own, against a local DynamoDB engine.
 */
import { statSync } from 'node:fs';
import { synthesize } from '../local/assembly/synthesize.ts';
import { readTemplate } from '../local/assembly/template.ts';
import { createTables, startEngine } from '../local/tables/tables.ts';
import { loadSample } from '../ops/inventory/load-sample.ts';
import { issueApiKey } from '../ops/keys/api-keys.ts';
import { type Handler, handlersOf } from './handlers.ts';
import { type Measurement, measureHandler, type Requests } from './measure-handler.ts';
import { median, quantile, report, round, showProgress } from './report.ts';

const stageName = 'staging';
/** The noise of a cold start is large compared with the differences to be found, so they are many. */
const cold = { rounds: 41, warmUp: 0, measured: 0 };
const warm = { rounds: 11, warmUp: 300, measured: 700 };
const method =
  `Cold: lower quartile of ${cold.rounds} processes each, because other load only adds to it. ` +
  `Warm: median of ${warm.rounds} processes with ${warm.measured} requests each. ` +
  'A ratio is the CPU time of this service divided by that of the handler.';

/**
 * Measures every handler once per round, one process at a time, so that drift of the machine
 * affects all equally.
 */
const measureAll = async (
  handlers: Handler[],
  { rounds, ...requests }: Requests & { rounds: number },
): Promise<Map<Handler, Measurement[]>> => {
  const measurements = new Map(handlers.map((handler): [Handler, Measurement[]] => [handler, []]));
  for (let round = 1; round <= rounds; round++) {
    // The handlers take turns at coming first, so that none has the same place in every round.
    const first = round % handlers.length;
    for (const handler of [...handlers.slice(first), ...handlers.slice(0, first)]) {
      showProgress(`round ${round} of ${rounds}, ${requests.measured} requests: ${handler.name}`);
      measurements.get(handler)?.push(await measureHandler(handler, requests));
    }
  }
  showProgress('');
  return measurements;
};

const assembly = await synthesize(stageName);
const template = readTemplate(assembly, stageName);
const { endpoint, close } = await startEngine();
const client = await createTables(template, endpoint);
await loadSample({ client, TableName: template.output('InventoryTableName') });
const keys = { client, TableName: template.output('ApiKeysTableName') };
const { apiKey } = await issueApiKey(keys, { stageName, name: 'npm run bench' });

const { update, bareSdk, peers, authorizer } = handlersOf({
  template,
  endpoint,
  apiKey,
  directory: assembly,
});
const handlers = [update, authorizer, bareSdk, ...peers()];
const coldStarts = await measureAll(handlers, cold);
const warmRequests = await measureAll(handlers, warm);
await close();

const lowerQuartile = (handler: Handler, value: (measurement: Measurement) => number): number =>
  quantile((coldStarts.get(handler) ?? []).map(value), 0.25);
const coldCpu = (handler: Handler): number => lowerQuartile(handler, (each) => each.cold.cpuMs);
const warmCpu = (handler: Handler): number =>
  median((warmRequests.get(handler) ?? []).map(({ warmCpuMs }) => warmCpuMs));

report('cold-starts', {
  command: 'npm run bench',
  method,
  rows: handlers.map((handler) => ({
    handler: handler.name,
    'cold ratio': round(coldCpu(update) / coldCpu(handler), 2),
    'warm ratio': round(warmCpu(update) / warmCpu(handler), 2),
    'cold CPU ms': round(coldCpu(handler), 1),
    'cold wall ms': round(
      lowerQuartile(handler, (each) => each.cold.wallMs),
      1,
    ),
    'warm CPU ms': round(warmCpu(handler), 2),
    'peak MiB': round(
      lowerQuartile(handler, (each) => each.cold.peakMb),
      0,
    ),
    'bundle kB': round(statSync(handler.bundle).size / 1000, 0),
  })),
});
