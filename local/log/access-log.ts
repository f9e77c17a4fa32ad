/**
 * What is logged about one request: the values of API Gateway's `$context` variables by name
 * without `$context.`, and `errorCode`, the `code` of an error response, which is no such variable.
 */
export type AccessRecord = Record<string, string | number | undefined>;

/**
 * Returns an access log line in the stage's format, with a hyphen for each variable unknown to the
 * local run.
 */
export const accessLine = (format: string, record: AccessRecord): string =>
  format.replace(/\$context\.([\w.]+)/g, (_variable, name: string) =>
    JSON.stringify(String(record[name] ?? '-')).slice(1, -1),
  );

/** Returns an access log line for people to read. */
export const readableLine = (record: AccessRecord): string => {
  const time = new Date(Number(record.requestTimeEpoch)).toTimeString().slice(0, 8);
  const parts = [time, record.httpMethod, record.path, record.status ?? '-'];
  if (record.errorCode !== undefined) {
    parts.push(record.errorCode);
  }
  parts.push(`${record.responseLatency} ms`);
  if (record['authorizer.keyId'] !== undefined) {
    parts.push(`key ${record['authorizer.keyId']}`);
  }
  if (record['error.responseType'] === 'FORBIDDEN') {
    parts.push(`(outside the stage: its paths begin with /${record.stage}/)`);
  }
  return parts.join(' ');
};

/** Returns the `code` of a body, which errors have. */
export const errorCodeIn = (body: string): string | undefined => {
  try {
    return JSON.parse(body).code;
  } catch {
    // A function may return no body, or one that is no object.
    return undefined;
  }
};

/**
 * Whether a function's log line is the one that it writes for each request, and tells of no error.
 * A line of console.log has the level INFO too, but a message.
 */
export const isRequestLine = (line: string): boolean => {
  try {
    const record = JSON.parse(line);
    return record.level === 'INFO' && record.message === undefined;
  } catch {
    // Lambda writes some lines, such as those about timeouts, as plain text.
    return false;
  }
};
