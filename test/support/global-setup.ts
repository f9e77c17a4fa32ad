import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import dynalite from 'dynalite';

/** Before all tests of a run: a directory and a DynamoDB engine that they share. */
export default async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  process.env.TEST_RUN_DIRECTORY = directory;

  const engine = dynalite({ createTableMs: 0 });
  // Neither may keep Jest from ending.
  engine.on('connection', (socket) => socket.unref());
  engine.listen(0, '127.0.0.1');
  await once(engine, 'listening');
  engine.unref();
  process.env.TEST_DYNAMODB_ENDPOINT = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
};
