/**
 * The values of API Gateway's `$context` variables for one request, by name without `$context.`.
 */
export type AccessRecord = Record<string, string | number | undefined>;

/**
 * Returns an access log line in the stage's format, with a hyphen for each variable unknown to the
 * local run.
 */
export const accessLine = (format: string, record: AccessRecord): string =>
  format.replace(/\$context\.([\w.]+)/g, (_match, name: string) =>
    JSON.stringify(String(record[name] ?? '-')).slice(1, -1),
  );

/** Returns an access log line for people to read. */
export const readableLine = (record: AccessRecord): string => {
  const {
    requestTimeEpoch,
    httpMethod,
    path,
    status,
    responseLatency,
    'authorizer.keyId': keyId,
  } = record;
  const time = new Date(Number(requestTimeEpoch)).toTimeString().slice(0, 8);
  return `${time} ${httpMethod} ${path} ${status ?? '-'} ${responseLatency} ms${keyId === undefined ? '' : ` key ${keyId}`}`;
};

/**
 * Prints a function's log line, unless it is the INFO line of a request: the gateway prints its own
 * line for that.
 */
export const logFailures = (line: string): void => {
  // A line of console.log has the level INFO too, but a message after its requestId.
  if (!/^\{"timestamp":"[^"]*","level":"INFO"(?!,"requestId":"[^"]*","message":)/.test(line)) {
    console.error(line);
  }
};
