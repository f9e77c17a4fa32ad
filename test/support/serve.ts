import { createServer, type RequestListener } from 'node:http';
import { afterAll } from '@jest/globals';
import { listen } from '../../local/shared/local-server.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** Serves on a free port of this machine until the test file ends; returns the URL, without a path. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const { address, close } = await listen(createServer(listener));
  closing.push(close);
  return `http://${address}`;
};
