import { createServer } from 'node:http';
import { functionSpecs } from '../../infra/service/operations.ts';
import { LocalRunError } from '../shared/local-run-error.ts';
import { listen } from '../shared/local-server.ts';

/**
 * Returns the port at which debuggers attach to each function, by the function's name: this one and
 * the next ones, or with 0 any free ones.
 * @throws LocalRunError if one is in use, because Node itself would go on without an inspector
 */
export const inspectPorts = async (first: number): Promise<Record<string, number>> => {
  // All are bound at the same time, so that no free one is returned twice.
  await using bound = new AsyncDisposableStack();
  const ports: Record<string, number> = {};
  for (const [index, { name }] of functionSpecs.entries()) {
    const wanted = first === 0 ? 0 : first + index;
    const { port, close } = await listen(createServer(), wanted).catch((cause) => {
      const message = `Debuggers cannot attach to ${name}: ${cause.message}.`;
      const advice = 'Choose another port with --inspect; 0 picks free ones.';
      throw new LocalRunError(`${message} ${advice}`, { cause });
    });
    bound.defer(close);
    ports[name] = port;
  }
  return ports;
};
