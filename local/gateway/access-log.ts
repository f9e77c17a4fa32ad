import type { IncomingMessage, ServerResponse } from 'node:http';

/** What `$context` says of a request, by variable. */
export type AccessRecord = Record<string, string | number | undefined>;

/** What the gateway learns of a request while it serves it. */
export interface Progress {
  requestId: string;
  extendedRequestId: string;
  startedAt: number;
  sourceIp: string | undefined;
  resourcePath?: string;
  keyId?: string | undefined;
  responseType?: string;
}

export const accessRecord = (message: IncomingMessage, response: ServerResponse, progress: Progress): AccessRecord => ({
  requestId: progress.requestId,
  extendedRequestId: progress.extendedRequestId,
  requestTimeEpoch: Math.round(performance.timeOrigin + progress.startedAt),
  httpMethod: message.method,
  path: message.url?.replace(/\?.*/s, ''),
  resourcePath: progress.resourcePath,
  status: response.statusCode,
  responseLatency: Math.round(performance.now() - progress.startedAt),
  'identity.sourceIp': progress.sourceIp,
  'identity.userAgent': message.headers['user-agent'],
  'authorizer.keyId': progress.keyId,
  'error.responseType': progress.responseType,
});

/** A line of the access log in the format of the stage; a hyphen for what is not known here. */
export const accessLine = (format: string, record: AccessRecord): string =>
  format.replace(/\$context\.([\w.]+)/g, (_match, name: string) =>
    JSON.stringify(String(record[name] ?? '-')).slice(1, -1),
  );

/** The same for people. */
export const readableLine = (record: AccessRecord): string => {
  const { requestTimeEpoch, httpMethod, path, status, responseLatency, 'authorizer.keyId': keyId } = record;
  const time = new Date(Number(requestTimeEpoch)).toTimeString().slice(0, 8);
  return `${time} ${httpMethod} ${path} ${status} ${responseLatency} ms${keyId === undefined ? '' : ` key ${keyId}`}`;
};

/** Prints what a function logs, but for the line of each request that ended well: the gateway has one of its own. */
export const logFailures = (line: string): void => {
  if (!/^\{"timestamp":"[^"]*","level":"INFO"/.test(line)) {
    console.error(line);
  }
};
