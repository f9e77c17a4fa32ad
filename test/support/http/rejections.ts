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
  timeout: rejection(
    'gateway_timeout',
    'The request took too long. If it was an update, it is not known whether it was applied.',
    504,
  ),
  outcomeUnknown: rejection(
    'outcome_unknown',
    'It is not known whether the update was applied. Look at the entry before sending another.',
    500,
  ),
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
export const notJson = rejection(
  'invalid_body',
  'The body must be JSON in UTF-8, uncompressed, and is not.',
);
const forbiddenKey = rejection('invalid_body', `The body must be ${object} and nothing more.`);
export const notObject = (kind: string) =>
  rejection('invalid_body', `The body must be a JSON object, ${object}, not ${kind}.`);
export const otherKey = (name: string) =>
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

interface RejectedUpdate {
  rejection: Rejection;
  /** The part of the update that causes it. */
  update: Update;
}

export const rejectedUpdates: RejectedUpdate[] = [
  ...[...quotedPetIds, ...longPetIds].map((petId) => ({
    rejection: notPetId(`"${petId}"`),
    update: { petId },
  })),
  { rejection: notPetId(`"${'9'.repeat(24)}…"`), update: { petId: '9'.repeat(25) } },
  { rejection: notPetId('" 1"'), update: { petId: '%201' } },
  { rejection: notPetId('"1x"'), update: { petId: '%31%78' } },
  { rejection: notPetId(String.raw`"\""`), update: { petId: '%22' } },
  { rejection: notPetId('"١"'), update: { petId: '%D9%A1' } },
  { rejection: notJsonType('not "application/jsonp"'), update: { type: 'application/jsonp' } },
  {
    rejection: notJsonType('not "application/json-patch+j…"'),
    update: { type: 'application/json-patch+json' },
  },
  {
    rejection: notJsonType('not "application/json, text/p…"'),
    update: { type: 'application/json, text/plain' },
  },
  { rejection: notJsonType('not "x-application/json"'), update: { type: 'x-application/json' } },
  {
    rejection: notJsonType('not "application/x-www-form-u…"'),
    update: { type: 'application/x-www-form-urlencoded' },
  },
  { rejection: notJsonType('and is missing'), update: { type: undefined } },
  { rejection: notQuantity('null'), update: { body: '{"quantity":null}' } },
  { rejection: notQuantity('a string'), update: { body: '{"quantity":"7"}' } },
  { rejection: notQuantity('a boolean'), update: { body: '{"quantity":true}' } },
  { rejection: notQuantity('an array'), update: { body: '{"quantity":[7]}' } },
  { rejection: notQuantity('an object'), update: { body: '{"quantity":{}}' } },
  { rejection: notQuantity('a fraction'), update: { body: '{"quantity":1.5}' } },
  { rejection: notQuantity('a fraction'), update: { body: '{"quantity":1.0000000000000000001}' } },
  { rejection: notQuantity('a fraction'), update: { body: '{"quantity":1e-400}' } },
  { rejection: notQuantity('a negative number'), update: { body: '{"quantity":-1}' } },
  { rejection: notQuantity('a negative number'), update: { body: '{"quantity":-1.5}' } },
  { rejection: notQuantity('a larger number'), update: { body: '{"quantity":9007199254740992}' } },
  { rejection: notQuantity('a larger number'), update: { body: '{"quantity":1e999}' } },
  { rejection: noQuantity, update: { body: '{}' } },
  { rejection: otherKey('"status"'), update: { body: '{"quantity":7,"status":"sold"}' } },
  { rejection: otherKey('"constructor"'), update: { body: '{"constructor":7}' } },
  { rejection: otherKey(`"${'k'.repeat(24)}…"`), update: { body: `{"${'k'.repeat(25)}":7}` } },
  { rejection: forbiddenKey, update: { body: '{"quantity":7,"__proto__":{}}' } },
  { rejection: forbiddenKey, update: { body: '{"a":[{"constructor":{"prototype":{}}}]}' } },
  { rejection: notObject('an array'), update: { body: '[]' } },
  { rejection: notObject('null'), update: { body: 'null' } },
  { rejection: notObject('a number'), update: { body: '7' } },
  { rejection: notJson, update: { body: '{"quantity":7' } },
  { rejection: notJson, update: { body: '{"quantity":07}' } },
  { rejection: notJson, update: { body: '\ufeff' } },
  { rejection: notJson, update: { body: '\ufeff\ufeff{}' } },
  { rejection: noQuantity, update: { body: '\ufeff{}' } },
  { rejection: forbiddenKey, update: { body: '\ufeff{"quantity":7,"__proto__":{}}' } },
  { rejection: notJson, update: { body: ' ' } },
  { rejection: noBody, update: { body: '' } },
  { rejection: noBody, update: { body: undefined } },
];
