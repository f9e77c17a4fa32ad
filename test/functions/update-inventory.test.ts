import { beforeAll, describe, expect, test } from '@jest/globals';
import { contract, errorAnswer } from '../http-client.ts';
import { type LocalRun, localRun } from '../local-run.ts';

describe('PATCH /inventory/{petId}', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await localRun();
  });

  const patch = (petId: string, body: string | undefined, contentType = 'application/json') =>
    run.send({ method: 'PATCH', path: `/inventory/${petId}`, headers: { 'Content-Type': contentType }, body });
  const list = async () => (await run.send({ path: '/inventory' })).body as { petId: bigint }[];

  test.each([
    ['1', { petId: 1n, quantity: 7n, status: 'available' }],
    ['9007199254740993', { petId: 9007199254740993n, quantity: 7n, status: 'available' }],
    ['9223372036854775807', { petId: 9223372036854775807n, quantity: 7n, status: 'available' }],
    ['-9223372036854775808', { petId: -9223372036854775808n, quantity: 7n, status: 'pending' }],
    // Percent-encoded, which is the same path.
    ['%32', { petId: 2n, quantity: 7n, status: 'pending' }],
  ])('sets the quantity of %s and answers with the updated entry', async (petId, updated) => {
    const before = await list();

    expect(contract(await patch(petId, '{"quantity":7}'))).toEqual({
      status: 200,
      contentType: 'application/json',
      body: updated,
    });
    expect(await list()).toEqual(before.map((item) => (item.petId === updated.petId ? updated : item)));
  });

  test.each(['0', '9007199254740991', '1.0', '1e2', ' 5 '])('takes the quantity %s', async (quantity) => {
    expect(contract(await patch('3', `{"quantity":${quantity}}`))).toEqual({
      status: 200,
      contentType: 'application/json',
      body: { petId: 3n, quantity: BigInt(Number(quantity)), status: 'sold' },
    });
  });

  const notFound = [404, 'pet_not_found', 'No inventory entry has this petId.'] as const;
  const petIdNot = (excerpt: string) =>
    [
      400,
      'invalid_pet_id',
      'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros, ' +
        `not ${excerpt}.`,
    ] as const;
  const quantityNot = (kind: string) =>
    [400, 'invalid_quantity', `quantity must be an integer from 0 to 9007199254740991, not ${kind}.`] as const;
  const bodyNot = (kind: string) =>
    [400, 'invalid_body', `The body must be a JSON object, {"quantity": <integer>}, not ${kind}.`] as const;
  const noQuantity = 'quantity is missing: it must be an integer from 0 to 9007199254740991.';
  const notJson = [400, 'invalid_body', 'The body is not valid JSON.'] as const;
  const noBody = [400, 'invalid_body', 'A body is required: {"quantity": <integer>}.'] as const;
  const nothingMore = [400, 'invalid_body', 'The body must be {"quantity": <integer>} and nothing more.'] as const;

  test.each<[petId: string, body: string | undefined, error: readonly [number, string, string]]>([
    ['4', '{"quantity":7}', notFound],
    ['-1', '{"quantity":7}', notFound],
    ['abc', '{"quantity":7}', petIdNot('"abc"')],
    ['1.5', '{"quantity":7}', petIdNot('"1.5"')],
    ['1e0', '{"quantity":7}', petIdNot('"1e0"')],
    ['01', '{"quantity":7}', petIdNot('"01"')],
    ['+1', '{"quantity":7}', petIdNot('"+1"')],
    ['-0', '{"quantity":7}', petIdNot('"-0"')],
    ['%201', '{"quantity":7}', petIdNot('" 1"')],
    ['%22', '{"quantity":7}', petIdNot(String.raw`"\""`)],
    ['%zz', '{"quantity":7}', petIdNot('"%zz"')],
    ['%D9%A1', '{"quantity":7}', petIdNot('"١"')],
    ['9223372036854775808', '{"quantity":7}', petIdNot('"9223372036854775808"')],
    ['-9223372036854775809', '{"quantity":7}', petIdNot('"-9223372036854775809"')],
    ['1'.repeat(100), '{"quantity":7}', petIdNot('"111111111111111111111111…"')],
    ['1', '{}', [400, 'invalid_quantity', noQuantity]],
    ['1', '{"quantity":null}', quantityNot('null')],
    ['1', '{"quantity":"7"}', quantityNot('a string')],
    ['1', '{"quantity":true}', quantityNot('a boolean')],
    ['1', '{"quantity":[7]}', quantityNot('an array')],
    ['1', '{"quantity":{}}', quantityNot('an object')],
    ['1', '{"quantity":1.5}', quantityNot('a fraction')],
    ['1', '{"quantity":1.0000000000000000001}', quantityNot('a fraction')],
    ['1', '{"quantity":9007199254740991.4}', quantityNot('a fraction')],
    ['1', '{"quantity":1e-400}', quantityNot('a fraction')],
    ['1', '{"quantity":-1}', quantityNot('a negative number')],
    ['1', '{"quantity":1e300}', quantityNot('a larger number')],
    ['1', '{"quantity":1e999}', quantityNot('a larger number')],
    ['1', '{"quantity":9007199254740992}', quantityNot('a larger number')],
    ['1', '{"quantity":9007199254740993}', quantityNot('a larger number')],
    [
      '1',
      '{"quantity":7,"status":"sold"}',
      [400, 'invalid_body', 'The body must have no property but quantity, and has "status".'],
    ],
    ['1', '[]', bodyNot('an array')],
    ['1', 'null', bodyNot('null')],
    ['1', '7', bodyNot('a number')],
    ['1', '"quantity"', bodyNot('a string')],
    ['1', '{"quantity":7', notJson],
    ['1', '{"quantity":07}', notJson],
    ['1', ' ', notJson],
    ['1', '{"quantity":7,"__proto__":{}}', nothingMore],
    ['1', `{"quantity":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, nothingMore],
    ['1', '', noBody],
    ['1', undefined, noBody],
  ])('refuses petId %s with the body %s', async (petId, body, error) => {
    const before = await list();

    expect(contract(await patch(petId, body))).toEqual(errorAnswer(...error));
    expect(await list()).toEqual(before);
  });

  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])('reads %s', async (type) => {
    expect((await patch('1', '{"quantity":7}', type)).status).toBe(200);
  });

  test.each([
    ['text/plain', 'not "text/plain"'],
    ['application/jsonp', 'not "application/jsonp"'],
    ['application/x-www-form-urlencoded', 'not "application/x-www-form-u…"'],
    [undefined, 'and is missing'],
  ])('refuses Content-Type %s', async (type, reason) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    const answer = await run.send({ method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":8}' });
    expect(contract(answer)).toEqual(
      errorAnswer(400, 'unsupported_content_type', `Content-Type must be application/json, ${reason}.`),
    );
  });
});
