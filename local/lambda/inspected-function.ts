import { noTimeLimit } from '../shared/no-time-limit.ts';
import type { PoolOptions } from './instance-pool.ts';
import { type LambdaFunction, lambdaFunction } from './lambda-function.ts';

export interface InspectedFunction extends LambdaFunction {
  /**
   * The URL of the inspector, `ws://127.0.0.1:<port>/<id>`. Rejects with the code EADDRINUSE and
   * the port if another program is using it.
   */
  inspector: Promise<string>;
}

/**
 * A function for debuggers: it has one instance, which is started at once and has no time limits,
 * so that whoever stops it at a breakpoint can take their time.
 * @param port the port of Node's inspector; 0 picks a free one
 */
export const inspectedFunction = (options: PoolOptions, port: number): InspectedFunction => {
  const inspector = Promise.withResolvers<string>();
  const lambda = lambdaFunction({
    ...options,
    reservedConcurrency: 1,
    timeoutSeconds: noTimeLimit,
    initSeconds: noTimeLimit,
    longestWait: noTimeLimit * 1000,
    execArgv: [`--inspect=127.0.0.1:${port}`],
    log: (line) => {
      const [, url] = /^Debugger listening on (ws:\S+)$/.exec(line) ?? [];
      if (url !== undefined) {
        inspector.resolve(url);
      } else if (/^Starting inspector on .* failed: address already in use$/.test(line)) {
        inspector.reject(Object.assign(new Error(line), { code: 'EADDRINUSE', port }));
      } else if (!line.startsWith('For help, see: https://nodejs.org/')) {
        options.log(line);
      }
    },
  });
  lambda.warmUp().catch(inspector.reject);
  return { ...lambda, inspector: inspector.promise };
};
