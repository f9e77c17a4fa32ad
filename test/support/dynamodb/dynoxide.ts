import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { listen } from '../../../local/shared/local-server.ts';
import { endTied, spawnTied } from '../process/tied.ts';

/** Returns a port that was free a moment ago: dynoxide does not say which one it would choose. */
const freePort = async (): Promise<number> => {
  const { port, close } = await listen(createServer());
  await close();
  return port;
};

/** Starts dynoxide, with its tables in memory, as a process of its own. */
export const startDynoxide = async (
  program: string,
): Promise<{ endpoint: string; close(): Promise<void> }> => {
  // Another process may take the port in between: the engine then ends, and gets another port.
  for (let attempt = 1; attempt <= 5; attempt++) {
    const port = await freePort();
    const engine = spawnTied(program, '--port', String(port));
    const lines = createInterface(engine.stderr);
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
    if (String(line).startsWith('Dynoxide listening')) {
      return { endpoint: `http://127.0.0.1:${port}`, close: () => endTied(engine) };
    }
    await endTied(engine);
  }
  throw new Error('dynoxide has not started.');
};
