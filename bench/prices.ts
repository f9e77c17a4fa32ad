/**
 * Prints what the service costs at AWS's list prices of 2026 for us-east-1, in US dollars, without
 * free tiers or taxes. To check the prices, see the pricing pages of API Gateway, Lambda, DynamoDB,
 * CloudWatch and EC2.
 */
const price = {
  apiGatewayRequest: 3.5 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** arm64 */
  lambdaGbSecond: 0.0000133334,
  writeRequestUnit: 0.625 / 1e6,
  readRequestUnit: 0.125 / 1e6,
  logGb: 0.5,
  transferGb: 0.09,
};

/**
 * Resources that requests use. The sizes are this service's; the times allow for more than `npm run
 * bench` shows.
 */
const use = {
  memoryGb: 1,
  updateSeconds: 0.01,
  /** One line of the function's log and one of the access log. */
  logBytes: 1_200,
  /** An entry as DynamoDB counts it: the names of its attributes and their values. */
  entryBytes: 50,
  /** An entry as JSON text, plain and compressed. */
  jsonBytes: 62,
  gzipBytes: 14,
  listedEntriesPerSecond: 150_000,
};

/** A function can stream 200 MB at most; after the first 6 MB, at 2 MB/s. */
const streamLimitBytes = 200 * 1024 * 1024;
const streamSeconds = (bytes: number) => Math.max(0, bytes - 6 * 1024 * 1024) / (2 * 1024 * 1024);

const perRequest =
  price.apiGatewayRequest + price.lambdaRequest + (use.logBytes / 1e9) * price.logGb;
const lambdaTime = (seconds: number) => seconds * use.memoryGb * price.lambdaGbSecond;
const unknownKey = price.lambdaRequest + lambdaTime(use.updateSeconds) + price.readRequestUnit;
const update = perRequest + lambdaTime(use.updateSeconds) + price.writeRequestUnit;

const list = (entries: number) => {
  const readUnits = Math.max(1, Math.ceil((entries * use.entryBytes) / 4096));
  const bytes = entries * use.gzipBytes;
  const seconds = Math.max(entries / use.listedEntriesPerSecond, streamSeconds(bytes));
  const cost =
    perRequest +
    lambdaTime(seconds) +
    readUnits * price.readRequestUnit +
    (bytes / 1e9) * price.transferGb;
  const fits = (size: number) => (entries * size <= streamLimitBytes ? 'yes' : 'no');
  return {
    entries: entries.toLocaleString('en'),
    'a list, $': cost.toPrecision(2),
    'takes, s': seconds.toFixed(seconds < 1 ? 2 : 0),
    'read units': readUnits.toLocaleString('en'),
    'fits 200 MB': `plain ${fits(use.jsonBytes)}, gzip ${fits(use.gzipBytes)}`,
  };
};

console.log(`A million updates: $${(update * 1e6).toFixed(2)}`);
console.log(`A million unknown keys: $${(unknownKey * 1e6).toFixed(2)} and the log\n`);
console.table([1_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map(list));
