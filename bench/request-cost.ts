import {
  apiGatewayStepBytes,
  lambdaFreeStreamBytes,
  price,
  streamBytesPerSecond,
} from './price-list.ts';

/**
 * What a request uses. The sizes are this service's; the times allow for more than `npm run bench`
 * shows.
 */
const use = {
  memoryGb: 1,
  updateSeconds: 0.01,
  /** One line of the function's log and one of the access log. */
  logBytes: 1_200,
  listedEntriesPerSecond: 150_000,
};

/** An entry as DynamoDB counts it: the names of its attributes and their values. */
export const storedEntryBytes = 50;

/** An entry as JSON text. */
export const plainEntryBytes = 62;

/** An entry as JSON text, compressed. */
export const gzipEntryBytes = 14;

/** What something costs, by what AWS charges for. */
export interface Cost {
  apiGateway: number;
  lambda: number;
  dynamodb: number;
  logs: number;
  transfer: number;
}

export const sumOf = (cost: Cost): number =>
  Object.values(cost).reduce((sum, part) => sum + part, 0);

const lambdaTime = (seconds: number) => seconds * use.memoryGb * price.lambdaGbSecond;
const logs = (use.logBytes / 1e9) * price.logGb;

export const update: Cost = {
  apiGateway: price.apiGatewayRequest,
  lambda: price.lambdaRequest + lambdaTime(use.updateSeconds),
  dynamodb: price.writeRequestUnit,
  logs,
  transfer: 0,
};

/**
 * A key that the authorizer looks up, because it is unknown or was not used in the last minute.
 * API Gateway charges for no request without a valid key.
 */
export const keyCheck: Cost = {
  apiGateway: 0,
  lambda: price.lambdaRequest + lambdaTime(use.updateSeconds),
  dynamodb: price.readRequestUnit,
  logs: logs / 2,
  transfer: 0,
};

/** A list with gzip. */
export interface ListCost {
  cost: Cost;
  seconds: number;
  readUnits: number;
}

export const list = (entries: number): ListCost => {
  const readUnits = Math.max(1, Math.ceil((entries * storedEntryBytes) / 4096));
  const bytes = entries * gzipEntryBytes;
  const bytesCharged = Math.max(0, bytes - lambdaFreeStreamBytes);
  const seconds = Math.max(
    entries / use.listedEntriesPerSecond,
    bytesCharged / streamBytesPerSecond,
  );
  const streaming = (bytesCharged / 1e9) * price.lambdaStreamedGb;
  const steps = Math.max(1, Math.ceil(bytes / apiGatewayStepBytes));
  const cost = {
    apiGateway: steps * price.apiGatewayRequest,
    lambda: price.lambdaRequest + lambdaTime(seconds) + streaming,
    dynamodb: readUnits * price.readRequestUnit,
    logs,
    transfer: (bytes / 1e9) * price.transferGb,
  };
  return { cost, seconds, readUnits };
};
