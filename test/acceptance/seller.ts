import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../support/http/raw-request.ts';
import { etagOf, listed, updateIf } from './service.ts';

/** Called wherever a program may be killed: it then throws. */
type Step = () => Promise<void>;

/**
 * Sells one of a pet, as docs/api.md says: each try has a key of its own, made of the order and the
 * number of the try. A seller that was ended begins again with the same arguments, and nothing else.
 */
export const sell = async (petId: bigint, order: string, step: Step): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    await step();
    const item = await listed(petId);
    if (item === undefined || item.quantity < 1n) {
      throw new Error(`petId ${petId} is sold out.`);
    }
    const update = { quantity: item.quantity - 1n, ifMatch: etagOf(item) };
    const { status, body } = await insist(petId, { ...update, key: `${order}-${attempt}` }, step);
    const { code = '' } = body as { code?: string };
    if (status === 200 || code === 'already_applied') {
      return;
    }
    if (status !== 412 && code !== 'already_refused') {
      throw new Error(`Nothing was sold: ${status} ${code}`);
    }
  }
};

/** Sends an update again, unchanged, until there is a response that says what became of it. */
const insist = async (
  petId: bigint,
  update: Parameters<typeof updateIf>[1],
  step: Step,
): Promise<HttpResponse> => {
  for (;;) {
    await step();
    const responds = updateIf(petId, update).catch(() => undefined);
    // Whether it is applied is not known yet.
    await step();
    const response = await responds;
    await step();
    if (response !== undefined && response.status < 500 && ![408, 429].includes(response.status)) {
      return response;
    }
    await sleep(1_000);
  }
};
