import { expect, test } from '@jest/globals';
import { isUpdate, type Passing, pass, type Reaction } from '../support/dynamodb/dynamodb-proxy.ts';
import { inventoryTable } from '../support/dynamodb/inventory-table.ts';
import { captureLog, metrics } from '../support/functions/capture-log.ts';

const mismatch = { __type: 'x#IdempotentParameterMismatchException' };

/** The transactions that were refused, by their tokens: this DynamoDB keeps those. */
const refused = new Map<string, string>();
/** The actions since an update began. */
let actions: string[] = [];
/** What happens to the next transactions, one each; all later ones run. */
let happenings: (typeof run)[] = [];

const run = async (call: Passing): Promise<Reaction> => {
  const { ClientRequestToken: token, TransactItems } = call.body;
  const items = JSON.stringify(TransactItems);
  if ((refused.get(token) ?? items) !== items) {
    return { status: 400, body: mismatch };
  }
  const { status, body } = await call.forward();
  if (/Canceled/.test(body.__type)) {
    refused.set(token, items);
  }
  return { status, body };
};
const lost = async () => undefined;

const { put, stored, patch } = await inventoryTable((call) => {
  if (!isUpdate(call)) {
    return pass(call);
  }
  const [action = ''] = Object.keys(call.body.TransactItems[0]);
  actions.push(action);
  return (happenings.shift() ?? run)(call);
});
const log = captureLog();

/** Sells three of seven with this key, of which there are five. */
const sell = async (key: string) => {
  await put(7, { quantity: { N: '5' }, status: { S: 'available' } });
  actions = [];
  const headers = { 'If-Match': ['"7-available"'], 'Idempotency-Key': [key] };
  const { body } = await patch('7', '{"quantity":4}', headers);
  expect((await stored(7))?.quantity).toStrictEqual({ N: '5' });
  return { code: JSON.parse(body).code, actions };
};

const asked = ['Update', 'ConditionCheck', 'ConditionCheck', 'ConditionCheck'];

// One test, because an instance learns.
test('where DynamoDB keeps the tokens of refused updates, they are final, once that is known', async () => {
  // A check that is late could have the token, so this says nothing.
  happenings = [run, run, lost];
  const { code, actions: all } = await sell('k1');
  expect([code, all]).toStrictEqual(['outcome_unknown', asked]);
  // It is the fault of others, and rolls no release back.
  expect(log.at(-1)).toMatchObject({ ...metrics({ Faults: 1 }), retries: 1 });

  const final = { code: 'precondition_failed' };
  expect(await sell('k2')).toStrictEqual({ ...final, actions: [...asked, 'Update'] });
  expect(await sell('k3')).toStrictEqual({ ...final, actions: ['Update'] });
  expect(await sell('k3')).toStrictEqual({ ...final, actions: ['Update'] });
  expect([refused.size]).toStrictEqual([5]);
});
