/** The status, code and message of an Error response. */
export type Rejection = [status: number, code: string, message: string];

/** The parts of an update that differ from a valid one. A part that is undefined is not sent. */
export type Update = { petId?: string; type?: string | undefined; body?: string | undefined };

const rejection = (code: string, message: string, status = 400): Rejection => [
  status,
  code,
  message,
];

export const errors = {
  notFound: rejection('pet_not_found', 'No inventory entry has this petId.', 404),
  internal: rejection('internal_error', 'Something went wrong on our side. Try again later.', 500),
  unavailable: rejection(
    'service_unavailable',
    'The inventory cannot be reached for the moment. Try again.',
    503,
  ),
  timeout: rejection('gateway_timeout', 'The request took too long. Try again later.', 504),
};

const petIdRange =
  'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantityRange = 'an integer from 0 to 9007199254740991';
const object = '{"quantity": <integer>}';

export const notPetId = (quoted: string) =>
  rejection('invalid_pet_id', `petId must be ${petIdRange}, not ${quoted}.`);
export const notJsonType = (given: string) =>
  rejection('unsupported_content_type', `Content-Type must be application/json, ${given}.`);
export const tooLarge = (bytes: number) =>
  rejection('request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`, 413);
const noBody = rejection('invalid_body', `A body is required: ${object}.`);
export const notJson = rejection('invalid_body', 'The body is not valid JSON.');
const forbiddenKey = rejection('invalid_body', `The body must be ${object} and nothing more.`);
export const notObject = (kind: string) =>
  rejection('invalid_body', `The body must be a JSON object, ${object}, not ${kind}.`);
const otherKey = (name: string) =>
  rejection('invalid_body', `The body must have no property but quantity, and has ${name}.`);
export const noQuantity = rejection(
  'invalid_quantity',
  `quantity is missing: it must be ${quantityRange}.`,
);
const notQuantity = (kind: string) =>
  rejection('invalid_quantity', `quantity must be ${quantityRange}, not ${kind}.`);

const quotedPetIds = [
  'abc',
  '-',
  '-0',
  '00',
  '01',
  '+1',
  '1.0',
  '1e0',
  '0x1',
  '9223372036854775808',
];
const longPetIds = ['-9223372036854775809', '9'.repeat(24)];

/** Rejections, each with the part of the update that causes it. The other parts are valid. */
export const rejectedUpdates: [rejection: Rejection, update: Update][] = [
  ...[...quotedPetIds, ...longPetIds].map((petId): [Rejection, Update] => [
    notPetId(`"${petId}"`),
    { petId },
  ]),
  [notPetId(`"${'9'.repeat(24)}…"`), { petId: '9'.repeat(25) }],
  [notPetId('" 1"'), { petId: '%201' }],
  [notPetId('"1x"'), { petId: '%31%78' }],
  [notPetId(String.raw`"\""`), { petId: '%22' }],
  [notPetId('"١"'), { petId: '%D9%A1' }],
  [notJsonType('not "application/jsonp"'), { type: 'application/jsonp' }],
  [notJsonType('not "application/json-patch+j…"'), { type: 'application/json-patch+json' }],
  [notJsonType('not "application/json, text/p…"'), { type: 'application/json, text/plain' }],
  [notJsonType('not "x-application/json"'), { type: 'x-application/json' }],
  [notJsonType('not "application/x-www-form-u…"'), { type: 'application/x-www-form-urlencoded' }],
  [notJsonType('and is missing'), { type: undefined }],
  [notQuantity('null'), { body: '{"quantity":null}' }],
  [notQuantity('a string'), { body: '{"quantity":"7"}' }],
  [notQuantity('a boolean'), { body: '{"quantity":true}' }],
  [notQuantity('an array'), { body: '{"quantity":[7]}' }],
  [notQuantity('an object'), { body: '{"quantity":{}}' }],
  [notQuantity('a fraction'), { body: '{"quantity":1.5}' }],
  [notQuantity('a fraction'), { body: '{"quantity":1.0000000000000000001}' }],
  [notQuantity('a fraction'), { body: '{"quantity":1e-400}' }],
  [notQuantity('a negative number'), { body: '{"quantity":-1}' }],
  [notQuantity('a negative number'), { body: '{"quantity":-1.5}' }],
  [notQuantity('a larger number'), { body: '{"quantity":9007199254740992}' }],
  [notQuantity('a larger number'), { body: '{"quantity":1e999}' }],
  [noQuantity, { body: '{}' }],
  [otherKey('"status"'), { body: '{"quantity":7,"status":"sold"}' }],
  [otherKey('"constructor"'), { body: '{"constructor":7}' }],
  [otherKey(`"${'k'.repeat(24)}…"`), { body: `{"${'k'.repeat(25)}":7}` }],
  [forbiddenKey, { body: '{"quantity":7,"__proto__":{}}' }],
  [forbiddenKey, { body: '{"a":[{"constructor":{"prototype":{}}}]}' }],
  [notObject('an array'), { body: '[]' }],
  [notObject('null'), { body: 'null' }],
  [notObject('a number'), { body: '7' }],
  [notJson, { body: '{"quantity":7' }],
  [notJson, { body: '{"quantity":07}' }],
  [notJson, { body: '\ufeff{}' }],
  [notJson, { body: ' ' }],
  [noBody, { body: '' }],
  [noBody, { body: undefined }],
];
