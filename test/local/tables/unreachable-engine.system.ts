import { expect, test } from '@jest/globals';
import { outputOf } from '../../support/process/tools.ts';

const module = new URL('../../../local/tables/tables.ts', import.meta.url).href;

// Node's error has no message if a host has several addresses. In a process of its own, because the
// SDK takes Node's errors for errors only outside of Jest.
test('an engine that no address of its host reaches is an error with a reason', async () => {
  const script = `
    import dns from 'node:dns';
    import { startTables } from ${JSON.stringify(module)};
    const addresses = [{ address: '127.0.0.1', family: 4 }, { address: '::1', family: 6 }];
    dns.lookup = (...args) => args.at(-1)(null, addresses);
    const account = { region: 'us-east-1' };
    const stack = { account, resources: () => new Map([['A', {}]]), ref: () => 'fixture-A' };
    await startTables(stack, { endpoint: 'http://localhost:1' }).catch(({ message }) => {
      console.log(message);
    });`;
  const output = await outputOf(process.execPath, '--input-type=module', '--eval', script);
  expect(output).toBe(
    '--dynamodb http://localhost:1 cannot be used as an engine of DynamoDB: ECONNREFUSED\n',
  );
});
