import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseInventoryUpdate, parsePetId } from '../../../functions/inventory/inventory-update.ts';
import { parseJson } from '../../../functions/shared/json.ts';

/** What comes of a body: an update, or code and message. */
const parsed = (body: string): unknown => {
  try {
    return parseInventoryUpdate(parseJson(body));
  } catch (error) {
    const { name, code, message } = error as { name: string; code: string; message: string };
    expect(name).toBe('ApiError');
    return [code, message];
  }
};

const range = 'an integer from 0 to 9007199254740991';
const wrong = (what: string) => ['invalid_quantity', `quantity must be ${range}, not ${what}.`];
const noObject = (what: string) => [
  'invalid_body',
  `The body must be a JSON object, {"quantity": <integer>}, not ${what}.`,
];
const other = (name: string) => ['invalid_body', `The body must have no property but quantity, and has ${name}.`];

describe('an update', () => {
  test.each([
    ['{"quantity":0}', { quantity: 0 }],
    ['{"quantity":-0}', { quantity: -0 }],
    ['{"quantity":9007199254740991}', { quantity: 9007199254740991 }],
    ['{"quantity":1e2}', { quantity: 100 }],
    ['{"quantity":1,"quantity":2}', { quantity: 2 }],
    ['{"quantity":9007199254740992}', wrong('a larger number')],
    ['{"quantity":1e400}', wrong('a larger number')],
    ['{"quantity":-1}', wrong('a negative number')],
    ['{"quantity":-1.5}', wrong('a negative number')],
    ['{"quantity":1.5}', wrong('a fraction')],
    ['{"quantity":1.0000000000000000001}', wrong('a fraction')],
    ['{"quantity":"7"}', wrong('a string')],
    ['{"quantity":true}', wrong('a boolean')],
    ['{"quantity":null}', wrong('null')],
    ['{"quantity":[7]}', wrong('an array')],
    ['{"quantity":{}}', wrong('an object')],
    ['{}', ['invalid_quantity', `quantity is missing: it must be ${range}.`]],
    ['[]', noObject('an array')],
    ['null', noObject('null')],
    ['7', noObject('a number')],
    ['"quantity"', noObject('a string')],
    ['{"quantity":7,"status":"sold"}', other('"status"')],
    ['{"status":"sold"}', other('"status"')],
    ['{"__proto__":{"quantity":7}}', other('"__proto__"')],
    ['{"quantity":7,"__proto__":{}}', other('"__proto__"')],
    ['{"constructor":7}', other('"constructor"')],
    [`{"${'k'.repeat(25)}":7}`, other(`"${'k'.repeat(24)}…"`)],
    [`{"${'k'.repeat(24)}":7}`, other(`"${'k'.repeat(24)}"`)],
  ])('%s', (body, expected) => {
    expect(parsed(body)).toEqual(expected);
  });

  test('is {"quantity": <integer>} alone, whatever JSON is sent', () => {
    const name = fc.oneof(fc.constantFrom('quantity', 'status', '__proto__', 'constructor', 'petId', ''), fc.string());
    const value = fc.oneof(fc.maxSafeInteger(), fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 3 }), (members) => {
        const body = `{${members.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`)}}`;
        // Of a name given twice the last counts, as in JSON.parse.
        const quantity = members.at(-1)?.[1];
        const allowed =
          members.every(([key]) => key === 'quantity') && Number.isSafeInteger(quantity) && Number(quantity) >= 0;
        expect(parsed(body)).toEqual(allowed ? { quantity } : expect.any(Array));
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ...['', '-', '-0', '00', '01', '+1', '1.0', '1e0', '1n', ' 1', '1 ', '1\n', '0x1', '١', '--1', '1_0'],
  ...['9223372036854775808', '-9223372036854775809', '%zz', '9'.repeat(24)],
])('a petId is not %j', (text) => {
  const range = 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
  expect(() => parsePetId(text)).toThrow(
    expect.objectContaining({
      name: 'ApiError',
      code: 'invalid_pet_id',
      message: `petId must be ${range}, not ${JSON.stringify(text)}.`,
    }),
  );
});
