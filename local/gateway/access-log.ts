/** What `$context` says of a request, by variable. */
export type AccessRecord = Record<string, string | number | undefined>;

/** A line of the access log in the format of the stage; a hyphen for what is not known here. */
export const accessLine = (format: string, record: AccessRecord): string =>
  format.replace(/\$context\.([\w.]+)/g, (_match, name: string) =>
    JSON.stringify(String(record[name] ?? '-')).slice(1, -1),
  );

/** The same for people. */
export const readableLine = (record: AccessRecord): string => {
  const { requestTimeEpoch, httpMethod, path, status, responseLatency, 'authorizer.keyId': keyId } = record;
  const time = new Date(Number(requestTimeEpoch)).toTimeString().slice(0, 8);
  return `${time} ${httpMethod} ${path} ${status ?? '-'} ${responseLatency} ms${keyId === undefined ? '' : ` key ${keyId}`}`;
};

/** Prints what a function logs, but for the line of each request that ended well: the gateway has one of its own. */
export const logFailures = (line: string): void => {
  // A line of console.log, of the same level, has a message.
  if (!/^\{"timestamp":"[^"]*","level":"INFO"(?!,"requestId":"[^"]*","message":)/.test(line)) {
    console.error(line);
  }
};
