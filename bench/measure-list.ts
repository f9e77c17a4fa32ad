import { once } from 'node:events';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { metadataEnd } from '../local/gateway/lambda-proxy.ts';
import { Instance } from '../local/lambda/instance.ts';
import { isRequestLine } from '../local/log/access-log.ts';
import { localCredentials, region } from '../local/shared/account.ts';
import { checkList, type SyntheticTable, tableName } from './synthetic-table.ts';

/** A handler of GET /inventory to measure. */
export interface ListHandler {
  name: string;
  /** The directory of the bundle. */
  taskRoot: string;
  /** The file and its export, such as `index.handler`. */
  handler: string;
  acceptEncoding: 'identity' | 'gzip';
}

export interface ListMeasurement {
  /** CPU time in µs. */
  cpuPerEntry: number;
  /** The largest resident set of the instance in MiB. */
  peakMemory: number;
}

interface ListProps {
  handler: ListHandler;
  /** The URL of scan-endpoint.ts. */
  endpoint: string;
  table: SyntheticTable;
  /** How many lists to measure. */
  lists: number;
}

/** The functions' memory in MiB. */
const memory = 1_024;

/** How Lambda's bootstrap divides the memory of a Node function. */
const lambdaHeap = [
  `--max-semi-space-size=${Math.floor(memory * 0.05)}`,
  `--max-old-space-size=${Math.floor(memory * 0.9)}`,
];

/** Lists a table repeatedly in a new instance. The first list is checked and not counted. */
export const measureList = async (props: ListProps): Promise<ListMeasurement> => {
  const { handler, table, lists } = props;
  const instance = await Instance.start({
    name: 'bench',
    environment: environmentOf(props),
    timeoutSeconds: 600,
    log: printUnlessRequestLine,
    execArgv: [...lambdaHeap, '--import', join(import.meta.dirname, 'usage.ts')],
  });
  const event = JSON.stringify({
    multiValueHeaders: { 'Accept-Encoding': [handler.acceptEncoding] },
    requestContext: { requestId: 'bench' },
  });
  const list = async () => {
    await instance.idle();
    return instance.invoke(event);
  };
  try {
    checkResult(await buffer(await list()), table);
    const before = await usageOf(instance);
    for (let count = 0; count < lists; count++) {
      await (await list()).forEach(() => {});
    }
    const { cpu, peakMemory } = await usageOf(instance);
    return { cpuPerEntry: (cpu - before.cpu) / (table.entries * lists), peakMemory };
  } finally {
    instance.end();
  }
};

const environmentOf = ({ handler, endpoint, table }: ListProps): NodeJS.ProcessEnv => ({
  _HANDLER: handler.handler,
  LAMBDA_TASK_ROOT: handler.taskRoot,
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  AWS_LAMBDA_FUNCTION_VERSION: '1',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memory),
  AWS_LAMBDA_LOG_GROUP_NAME: 'bench',
  AWS_LAMBDA_LOG_STREAM_NAME: 'bench',
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  AWS_ENDPOINT_URL_DYNAMODB: endpoint,
  STAGE_NAME: 'bench',
  INVENTORY_TABLE_NAME: tableName(table),
});

const printUnlessRequestLine = (line: string): void => {
  if (!isRequestLine(line)) {
    console.error(line);
  }
};

/** Returns the CPU time in µs and the peak memory in MiB of an instance since its start. */
const usageOf = async (instance: Instance): Promise<{ cpu: number; peakMemory: number }> => {
  await instance.idle();
  instance.process.send('usage');
  return (await once(instance.process, 'message'))[0];
};

/** Throws unless a streamed result, metadata and body, is the whole list. */
const checkResult = (result: Buffer, table: SyntheticTable): void => {
  const end = result.indexOf(metadataEnd);
  const { headers } = JSON.parse(result.toString('utf8', 0, end)) as {
    headers: Record<string, string>;
  };
  const body = result.subarray(end + metadataEnd.length);
  checkList(String(headers['Content-Encoding'] === 'gzip' ? gunzipSync(body) : body), table);
};
