declare module 'autocannon' {
  interface Request {
    method: string;
    path: string;
    headers?: Record<string, string>;
    body?: string;
    onResponse?: (status: number, body: string, context: object, headers: Record<string, string>) => void;
  }

  interface Options {
    url: string;
    /** Each sends the requests in turn, and waits for every answer. */
    connections: number;
    /** Seconds. */
    duration: number;
    /** Requests a second, of all connections together. */
    overallRate?: number;
    /** Does not count the wait for a request that the rate has asked for but its connection had no time for. */
    ignoreCoordinatedOmission?: boolean;
    requests: Request[];
  }

  export interface Result {
    /** Connections that failed, timeouts among them. */
    errors: number;
    timeouts: number;
    requests: { total: number; average: number };
    /** Milliseconds. */
    latency: { p50: number; p99: number; p99_9: number; max: number };
  }

  export default function autocannon(options: Options): Promise<Result>;
}
