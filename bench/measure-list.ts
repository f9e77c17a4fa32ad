import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { metadataEnd } from '../local/gateway/integrations/lambda-streaming-proxy.ts';
import { startInstance } from '../local/lambda/instance.ts';
import { payloadLimit } from '../local/lambda/lambda-function.ts';
import type { ListCandidate } from './list-candidates.ts';
import { checkList, type SyntheticTable, tableName } from './synthetic-table.ts';

export interface ListMeasurement {
  entriesPerSecond: number;
  /** CPU time in µs. */
  cpuPerEntry: number;
  /** The largest resident set of the instance in MiB. */
  peakMemory: number;
  /**
   * Milliseconds from the request to the first byte of the result, or to the end of a buffered
   * result.
   */
  firstByte: number;
  /** The reason why no client would get the list, if so. */
  failure?: string;
}

interface ListProps {
  candidate: ListCandidate;
  /** The URL of scan-endpoint.ts. */
  endpointUrl: string;
  table: SyntheticTable;
  /** How many lists to measure. */
  lists: number;
}

/** Lists a table repeatedly in a new instance. The first list is checked and not counted. */
export const measureList = async (props: ListProps): Promise<ListMeasurement> => {
  const { candidate, endpointUrl, table, lists } = props;
  const instance = await startInstance({
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
    environment: {
      ...candidate.environment,
      _HANDLER: candidate.handler,
      LAMBDA_TASK_ROOT: candidate.taskRoot,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_ENDPOINT_URL_DYNAMODB: endpointUrl,
      INVENTORY_TABLE_NAME: tableName(table),
    },
    timeoutSeconds: 600,
    log: () => {},
    execArgv: [...candidate.execArgv, '--import', join(import.meta.dirname, 'usage.ts')],
  });
  const event = JSON.stringify({
    multiValueHeaders: { 'Accept-Encoding': [candidate.acceptEncoding] },
    requestContext: { requestId: 'bench' },
  });
  const invoke = async () => {
    await instance.idle();
    return instance.invoke(event);
  };
  /** Returns the CPU time in µs and the peak memory in MiB of the instance since its start. */
  const usage = async (): Promise<{ cpu: number; peakMemory: number }> => {
    await instance.idle();
    instance.process.send('usage');
    return (await once(instance.process, 'message'))[0];
  };
  try {
    const failure = checkResult(await buffer(await invoke()), table);
    const before = await usage();
    const started = performance.now();
    let firstByte = 0;
    for (let list = 0; list < lists; list++) {
      const invoked = performance.now();
      const result = await invoke();
      firstByte += (performance.now() - invoked) / lists;
      await result.forEach(() => {});
    }
    const seconds = (performance.now() - started) / 1000;
    const { cpu, peakMemory } = await usage();
    const listed = table.entries * lists;
    return {
      entriesPerSecond: listed / seconds,
      cpuPerEntry: (cpu - before.cpu) / listed,
      peakMemory,
      firstByte,
      failure,
    };
  } finally {
    instance.end();
  }
};

/**
 * Throws unless a result is the whole list. Returns the reason if Lambda would reject the result
 * for its size.
 */
const checkResult = (result: Buffer, table: SyntheticTable): string | undefined => {
  const end = result.indexOf(metadataEnd);
  if (end >= 0) {
    const { headers } = JSON.parse(result.toString('utf8', 0, end)) as {
      headers: Record<string, string>;
    };
    const payload = result.subarray(end + metadataEnd.length);
    checkList(
      String(headers['Content-Encoding'] === 'gzip' ? gunzipSync(payload) : payload),
      table,
    );
    return undefined;
  }
  checkList((JSON.parse(String(result)) as { body: string }).body, table);
  const megabyte = 1024 * 1024;
  return result.length > payloadLimit
    ? `fails: ${(result.length / megabyte).toFixed(1)} of at most 6 MB`
    : undefined;
};
