import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from '../../../local/shared/local-server.ts';
import { atEnd } from '../process/at-end.ts';

/**
 * Serves on a free port of this machine until the test file ends. Returns the URL, without a path.
 */
export const serve = async (served: RequestListener | Server): Promise<string> => {
  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  const server =
    typeof served === 'function' ? createServer({ keepAliveTimeout: 0 }, served) : served;
  const { address, close } = await listen(server);
  atEnd(close);
  return `http://${address}`;
};
