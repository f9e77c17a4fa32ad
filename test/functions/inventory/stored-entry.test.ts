import { expect, test } from '@jest/globals';
import { violationOf } from '../../../functions/inventory/stored-entry.ts';

const wrongPetId = (printed: string) => `its petId is ${printed} and must be an int64`;
const wrongQuantity = (printed: string) =>
  `its quantity is ${printed} and must be an integer from 0 to 9007199254740991`;
const wrongStatus = (printed: string) =>
  `its status is ${printed} and must be one of available, pending, sold`;

test.each([
  [{ petId: { N: '9223372036854775807' }, quantity: { N: '0' } }, undefined],
  [{ petId: { N: '-9223372036854775808' }, quantity: { N: '9007199254740991' } }, undefined],
  [{ petId: { N: '9223372036854775808' } }, wrongPetId('9223372036854775808')],
  [{ quantity: { N: '9007199254740992' } }, wrongQuantity('9007199254740992')],
  [{ quantity: { N: '-1' } }, wrongQuantity('-1')],
  [{ quantity: { N: '1.5' } }, wrongQuantity('1.5')],
  [{ quantity: { N: '007' } }, wrongQuantity('007')],
  [{ quantity: { S: '' } }, wrongQuantity('""')],
  [{ quantity: { NS: ['1'] } }, wrongQuantity('of another type')],
  [{ status: { S: 'x'.repeat(400) } }, wrongStatus(`"${'x'.repeat(24)}…"`)],
  [{ status: { N: '1' } }, wrongStatus('1')],
  [
    { petId: { N: '0.5' }, quantity: undefined, status: undefined },
    `${wrongPetId('0.5')}; ${wrongQuantity('missing')}; ${wrongStatus('missing')}`,
  ],
])('a stored entry with %j has the violation: %s', (attributes, violation) => {
  const valid = { petId: { N: '1' }, quantity: { N: '1' }, status: { S: 'sold' } };
  expect(violationOf({ ...valid, ...attributes } as typeof valid)).toBe(violation);
});
