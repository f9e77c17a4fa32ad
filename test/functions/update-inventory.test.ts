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

  const wrongPetId =
    'petId must be an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros.';
  const wrongQuantity = 'quantity must be an integer from 0 to 9007199254740991.';
  const missingQuantity = 'quantity is required and must be an integer from 0 to 9007199254740991.';
  const notAnObject = 'The body must be a JSON object: {"quantity": <integer>}.';
  const notJson = 'The body is not valid JSON.';

  test.each<[petId: string, body: string | undefined, ...error: Parameters<typeof errorAnswer>]>([
    ['4', '{"quantity":7}', 404, 'pet_not_found', 'No inventory entry has this petId.'],
    ['-1', '{"quantity":7}', 404, 'pet_not_found', 'No inventory entry has this petId.'],
    ['abc', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['1.5', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['1e0', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['01', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['+1', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['-0', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['%201', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['%zz', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['%D9%A1', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['9223372036854775808', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['-9223372036854775809', '{"quantity":7}', 400, 'invalid_pet_id', wrongPetId],
    ['1', '{}', 400, 'invalid_quantity', missingQuantity],
    ['1', '{"quantity":null}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":"7"}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":true}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":[7]}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":1.5}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":-1}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":1e300}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":9007199254740992}', 400, 'invalid_quantity', wrongQuantity],
    ['1', '{"quantity":7,"status":"sold"}', 400, 'invalid_body', 'The body must have no property but quantity.'],
    ['1', '[]', 400, 'invalid_body', notAnObject],
    ['1', 'null', 400, 'invalid_body', notAnObject],
    ['1', '7', 400, 'invalid_body', notAnObject],
    ['1', '{"quantity":7', 400, 'invalid_body', notJson],
    ['1', '{"quantity":7,"__proto__":{}}', 400, 'invalid_body', notJson],
    ['1', '', 400, 'invalid_body', 'A body is required: {"quantity": <integer>}.'],
    ['1', undefined, 400, 'invalid_body', 'A body is required: {"quantity": <integer>}.'],
  ])('refuses petId %s with the body %s', async (petId, body, ...error) => {
    const before = await list();

    expect(contract(await patch(petId, body))).toEqual(errorAnswer(...error));
    expect(await list()).toEqual(before);
  });

  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])('reads %s', async (type) => {
    expect((await patch('1', '{"quantity":7}', type)).status).toBe(200);
  });

  test.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])('refuses %s', async (type) => {
    expect(contract(await patch('1', '{"quantity":8}', type))).toEqual(
      errorAnswer(400, 'unsupported_content_type', 'Content-Type must be application/json.'),
    );
  });
});
