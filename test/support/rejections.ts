/** What the response says to an update that is rejected. */
export type Rejection = [status: number, code: string, message: string];

const rejection = (code: string, message: string, status = 400): Rejection => [status, code, message];

const petIdRange = 'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantityRange = 'an integer from 0 to 9007199254740991';
const object = '{"quantity": <integer>}';

export const notPetId = (quoted: string) => rejection('invalid_pet_id', `petId must be ${petIdRange}, not ${quoted}.`);
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
export const noQuantity = rejection('invalid_quantity', `quantity is missing: it must be ${quantityRange}.`);
const notQuantity = (kind: string) => rejection('invalid_quantity', `quantity must be ${quantityRange}, not ${kind}.`);

const unquoted = ['abc', '-', '-0', '00', '01', '+1', '1.0', '1e0', '0x1', '9223372036854775808'];

/** By how a client writes them in the path. */
export const wrongPetIds: [petId: string, rejection: Rejection][] = [
  ...[...unquoted, '-9223372036854775809', '9'.repeat(24)].map((id): [string, Rejection] => [id, notPetId(`"${id}"`)]),
  ['9'.repeat(25), notPetId(`"${'9'.repeat(24)}…"`)],
  ['%201', notPetId('" 1"')],
  ['%31%78', notPetId('"1x"')],
  ['%22', notPetId(String.raw`"\""`)],
  ['%D9%A1', notPetId('"١"')],
];

export const wrongTypes: [type: string | undefined, rejection: Rejection][] = [
  ['application/jsonp', notJsonType('not "application/jsonp"')],
  ['application/json-patch+json', notJsonType('not "application/json-patch+j…"')],
  ['application/json, text/plain', notJsonType('not "application/json, text/p…"')],
  ['x-application/json', notJsonType('not "x-application/json"')],
  ['application/x-www-form-urlencoded', notJsonType('not "application/x-www-form-u…"')],
  [undefined, notJsonType('and is missing')],
];

export const wrongBodies: [body: string | undefined, rejection: Rejection][] = [
  ['{"quantity":null}', notQuantity('null')],
  ['{"quantity":"7"}', notQuantity('a string')],
  ['{"quantity":true}', notQuantity('a boolean')],
  ['{"quantity":[7]}', notQuantity('an array')],
  ['{"quantity":{}}', notQuantity('an object')],
  ['{"quantity":1.5}', notQuantity('a fraction')],
  ['{"quantity":1.0000000000000000001}', notQuantity('a fraction')],
  ['{"quantity":1e-400}', notQuantity('a fraction')],
  ['{"quantity":-1}', notQuantity('a negative number')],
  ['{"quantity":-1.5}', notQuantity('a negative number')],
  ['{"quantity":9007199254740992}', notQuantity('a larger number')],
  ['{"quantity":1e999}', notQuantity('a larger number')],
  ['{}', noQuantity],
  ['{"quantity":7,"status":"sold"}', otherKey('"status"')],
  ['{"constructor":7}', otherKey('"constructor"')],
  [`{"${'k'.repeat(25)}":7}`, otherKey(`"${'k'.repeat(24)}…"`)],
  ['{"quantity":7,"__proto__":{}}', forbiddenKey],
  ['{"a":[{"constructor":{"prototype":{}}}]}', forbiddenKey],
  ['[]', notObject('an array')],
  ['null', notObject('null')],
  ['7', notObject('a number')],
  ['{"quantity":7', notJson],
  ['{"quantity":07}', notJson],
  ['\ufeff{}', notJson],
  [' ', notJson],
  ['', noBody],
  [undefined, noBody],
];
