import { createServer, type RequestListener } from 'node:http';
import { listen } from '../../../local/shared/local-server.ts';
import { atEnd } from '../process/at-end.ts';

/**
 * Serves on a free port of this machine until the test file ends. Returns the URL, without a path.
 */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  // On a busy machine, Node would cut off a request that arrives after five seconds without one.
  server.keepAliveTimeout = 0;
  const { address, close } = await listen(server);
  atEnd(close);
  return `http://${address}`;
};
