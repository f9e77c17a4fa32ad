import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createApiKey } from '../../../functions/keys/api-key.ts';
import { serve } from '../../support/http/serve.ts';

// Setting back waits between two attempts.
jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: async () => {} }));
const { changing, newQuantity } = await import('../../acceptance/changing.ts');
const { clientOf } = await import('../../acceptance/service.ts');

interface Update {
  quantity: bigint;
  ifMatch: string | undefined;
}

/** Answers an update in place of the service; returns whether it did. */
type Fault = (response: ServerResponse, update: Update) => boolean;

/** An inventory of one entry, as the service serves it, except for faults. */
class OneEntry {
  quantity = 7n;
  /** The updates that got as far as the condition, without those that only look. */
  readonly updates: Update[] = [];
  /** Faults of the next updates. */
  readonly faults: Fault[] = [];

  etag(): string {
    return `"${this.quantity}-sold"`;
  }

  answer(response: ServerResponse, update: Update): void {
    if (update.ifMatch === '"00-sold"') {
      this.#fail(response);
      return;
    }
    this.updates.push(update);
    if (this.faults.shift()?.(response, update)) {
      return;
    }
    if (update.ifMatch !== undefined && update.ifMatch !== this.etag()) {
      this.#fail(response);
      return;
    }
    this.quantity = update.quantity;
    const body = `{"petId":1,"quantity":${update.quantity},"status":"sold"}`;
    response.writeHead(200, { ...json, ETag: this.etag() }).end(body);
  }

  #fail(response: ServerResponse): void {
    response.writeHead(412, { ...json, ETag: this.etag() }).end(error(412, 'precondition_failed'));
  }
}

const json = { 'Content-Type': 'application/json' };
const error = (status: number, code: string): string =>
  JSON.stringify({ code, message: 'A message.', status });

const answering =
  (status: number, code: string, headers = {}): Fault =>
  (response) => {
    response.writeHead(status, { ...json, ...headers }).end(error(status, code));
    return true;
  };

let entry: OneEntry;
let client: ReturnType<typeof clientOf>;

beforeEach(async () => {
  entry = new OneEntry();
  const url = await serve(async (request, response) => {
    const { quantity } = JSON.parse(await text(request));
    entry.answer(response, {
      quantity: BigInt(quantity),
      ifMatch: request.headers['if-match'] as string | undefined,
    });
  });
  client = clientOf({
    baseUrl: `${url}/v1`,
    apiKey: createApiKey('staging'),
    stageName: 'staging',
    readOnly: false,
    keyMayWrite: true,
  });
});

afterEach(() => void jest.restoreAllMocks());

const item = { petId: 1n, quantity: 7n, status: 'sold' };

/** Makes a check that sets a quantity of the run, and then does something else. */
const setting =
  (then = async () => {}) =>
  async () => {
    await client.patch(1n, `{"quantity":${newQuantity()}}`);
    await then();
  };

const failing = async (): Promise<void> => {
  throw new Error('The check failed.');
};

/** The conditions with which the quantity 7 was sent. */
const settingBack = () =>
  entry.updates.filter(({ quantity }) => quantity === 7n).map(({ ifMatch }) => ifMatch);

describe('a check that changes an entry', () => {
  test('sets it back on the condition that it is as the check has left it', async () => {
    let left = '';
    await changing(
      client,
      item,
      setting(async () => {
        left = entry.etag();
      }),
    );
    expect({ quantity: entry.quantity, sent: settingBack() }).toStrictEqual({
      quantity: 7n,
      sent: [left],
    });
  });

  test('sets it back if it fails', async () => {
    await expect(changing(client, item, setting(failing))).rejects.toThrow('The check failed.');
    expect(entry.quantity).toBe(7n);
  });

  test('sends nothing to set back if nothing was changed', async () => {
    await changing(client, item, async () => {});
    expect(entry.updates).toStrictEqual([]);
  });

  test('leaves what another client has set, and is not judged by it', async () => {
    const checked: bigint[] = [];
    await changing(client, item, async ({ quantity }) => {
      checked.push(quantity);
      await client.patch(1n, `{"quantity":${newQuantity()}}`);
      if (checked.length === 1) {
        entry.quantity = 3n;
        throw new Error('The list has 3.');
      }
    });
    expect({ checked, quantity: entry.quantity }).toStrictEqual({
      checked: [7n, 3n],
      quantity: 3n,
    });
  });

  test('fails if other clients change the entry each time', async () => {
    let checks = 0n;
    const check = changing(client, item, async () => {
      checks += 1n;
      entry.quantity = 10n + checks;
      throw new Error('The list has another quantity.');
    });
    await expect(check).rejects.toThrow('The list has another quantity.');
    expect(checks).toBe(3n);
  });
});

describe('setting back', () => {
  test.each([
    { what: 'a 503', fault: answering(503, 'service_unavailable', { 'Retry-After': '1' }) },
    {
      what: 'a cut connection',
      fault: ((response) => {
        response.destroy();
        return true;
      }) as Fault,
    },
  ])('after $what, looks, and sets back what is not set back yet', async ({ fault }) => {
    await changing(
      client,
      item,
      setting(async () => void entry.faults.push(fault)),
    );
    expect({ quantity: entry.quantity, sent: settingBack().length }).toStrictEqual({
      quantity: 7n,
      sent: 2,
    });
  });

  test('after a connection that was cut when the update was applied, looks, and sends no other', async () => {
    const applied: Fault = (response, { quantity }) => {
      entry.quantity = quantity;
      response.destroy();
      return true;
    };
    await changing(
      client,
      item,
      setting(async () => void entry.faults.push(applied)),
    );
    expect({ quantity: entry.quantity, sent: settingBack().length }).toStrictEqual({
      quantity: 7n,
      sent: 1,
    });
  });

  test('sets back without a condition if that alone works', async () => {
    const refused = answering(400, 'invalid_if_match');
    await changing(
      client,
      item,
      setting(async () => void entry.faults.push(refused, refused, refused, refused)),
    );
    expect(entry.quantity).toBe(7n);
    expect(settingBack().slice(-1)).toStrictEqual([undefined]);
  });

  test('fails if the quantity cannot be set back, and says which it was', async () => {
    const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const broken = answering(500, 'internal_error');
    const lost = 'petId 1 had the quantity 7, which could not be set back: 500.';
    const check = setting(async () => void entry.faults.push(...Array(5).fill(broken)));
    await expect(changing(client, item, check)).rejects.toThrow(lost);
    expect(print.mock.calls).toStrictEqual([[`${lost}\n`]]);
  });
});
