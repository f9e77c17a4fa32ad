import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { localRun, temporaryDirectory } from '../../support/local/local-run.ts';

const directory = join(temporaryDirectory, 'crash');

test('no acknowledged update is lost when npm start --data is killed', async () => {
  const killed = await localRun('--data', directory);
  const exit = once(killed.process, 'exit');
  /** What three clients know of the items that each of them counts up. */
  const known = [1, 2, 3].map((petId) => ({ petId, acknowledged: 0, sent: 0 }));
  const countUp = async (client: (typeof known)[number]) => {
    for (;;) {
      client.sent += 1;
      const update = killed.patch(client.petId, `{"quantity":${client.sent}}`);
      const response = await update.catch(() => undefined);
      if (response === undefined) {
        return;
      }
      expect(response.status).toBe(200);
      client.acknowledged = client.sent;
      if (client.acknowledged === 20) {
        killed.process.kill('SIGKILL');
      }
    }
  };
  await Promise.all(known.map(countUp));
  expect(await exit).toEqual([null, 'SIGKILL']);

  const run = await localRun('--data', directory);
  const { body } = await run.send({ path: '/inventory' });
  const quantities = new Map(
    (body as { petId: bigint; quantity: bigint }[]).map(({ petId, quantity }) => [
      Number(petId),
      Number(quantity),
    ]),
  );
  for (const { petId, acknowledged, sent } of known) {
    expect(quantities.get(petId)).toBeGreaterThanOrEqual(acknowledged);
    expect(quantities.get(petId)).toBeLessThanOrEqual(sent);
  }
});
