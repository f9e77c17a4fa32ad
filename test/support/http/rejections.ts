/** The status, code and message of an Error response. */
export type Rejection = [status: number, code: string, message: string];

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
    'The inventory is temporarily unavailable. Try again.',
    503,
  ),
  timeout: rejection(
    'gateway_timeout',
    'The request took too long. If it was an update, it may or may not have been applied.',
    504,
  ),
  outcomeUnknown: rejection(
    'outcome_unknown',
    'The update may or may not have been applied. If it has an Idempotency-Key, retry it ' +
      'unchanged; otherwise, check the entry first.',
    500,
  ),
};

const petIdRange =
  'an integer from -9223372036854775808 to 9223372036854775807, in digits without leading zeros';
const quantityRange = 'an integer from 0 to 9007199254740991';
const object = '{"quantity": <integer>}';

const notPetId = (quoted: string) =>
  rejection('invalid_pet_id', `petId must be ${petIdRange}, not ${quoted}.`);
export const notJsonType = (given: string) =>
  rejection('unsupported_content_type', `Content-Type must be application/json, ${given}.`);
const tooLarge = (bytes: number) =>
  rejection('request_too_large', `The body must have at most 4096 bytes, not ${bytes}.`, 413);
const noBody = rejection('invalid_body', `A body is required: ${object}.`);
const notJson = rejection('invalid_body', 'The body must be uncompressed JSON in UTF-8.');
const forbiddenKey = rejection('invalid_body', `The body must be ${object} and nothing more.`);
const notObject = (kind: string) =>
  rejection('invalid_body', `The body must be a JSON object, ${object}, not ${kind}.`);
const otherKey = (name: string) =>
  rejection('invalid_body', `The body may have only the property quantity, not ${name}.`);
const noQuantity = rejection(
  'invalid_quantity',
  `quantity is missing: it must be ${quantityRange}.`,
);
const notQuantity = (kind: string) =>
  rejection('invalid_quantity', `quantity must be ${quantityRange}, not ${kind}.`);

/** The parts of an event that differ from those of a valid update. */
export interface Update {
  pathParameters?: { petId: string } | null;
  multiValueHeaders?: Record<string, string[]> | null;
  body?: string | null;
  isBase64Encoded?: boolean;
}

const petId = (text: string): Update => ({ pathParameters: { petId: text } });
const headers = (values: Update['multiValueHeaders']): Update => ({ multiValueHeaders: values });
const type = (...values: string[]) => headers({ 'Content-Type': values });
const body = (text: string | null): Update => ({ body: text });
const base64 = (text: string): Update => ({ body: btoa(text), isBase64Encoded: true });
const quantity = (json: string) => body(`{"quantity":${json}}`);

/** A body of the greatest length, nested as deeply as that allows. */
const deep = `${'['.repeat(2_048)}${']'.repeat(2_048)}`;
/** Each é takes two bytes. */
const tooLong = body('é'.repeat(2_049));

/** Updates that are rejected as such, whatever the table holds. */
export const rejectedUpdates: { update: Update; rejection: Rejection }[] = [
  // item.test.ts shows of every text whether it is a petId.
  { update: petId('abc'), rejection: notPetId('"abc"') },
  { update: petId('9'.repeat(24)), rejection: notPetId(`"${'9'.repeat(24)}"`) },
  { update: petId('9'.repeat(25)), rejection: notPetId(`"${'9'.repeat(24)}…"`) },
  { update: petId('%31%78'), rejection: notPetId('"1x"') },
  { update: petId('%zz'), rejection: notPetId('"%zz"') },
  { update: petId('%22'), rejection: notPetId(String.raw`"\""`) },
  { update: petId('%D9%A1'), rejection: notPetId('"١"') },
  { update: petId('1\n'), rejection: notPetId(String.raw`"1\n"`) },
  { update: petId('\u200b1'), rejection: notPetId(String.raw`"\u200b1"`) },
  { update: petId('1%C2%A0000'), rejection: notPetId(String.raw`"1\u00a0000"`) },
  { update: { pathParameters: null }, rejection: notPetId('""') },

  { update: type('application/jsonp'), rejection: notJsonType('not "application/jsonp"') },
  { update: type('x-application/json'), rejection: notJsonType('not "x-application/json"') },
  {
    update: type('application/x-www-form-urlencoded'),
    rejection: notJsonType('not "application/x-www-form-u…"'),
  },
  {
    update: type('application/json, text/plain'),
    rejection: notJsonType('not "application/json, text/p…"'),
  },
  { update: type('\u2060json'), rejection: notJsonType(String.raw`not "\u2060json"`) },
  { update: type('a', 'b'), rejection: notJsonType('not "a, b"') },
  {
    update: headers({ 'Content-Type': ['a'], 'CONTENT-TYPE': ['b'] }),
    rejection: notJsonType('not "a, b"'),
  },
  { update: headers({}), rejection: notJsonType('but is missing') },
  { update: headers(null), rejection: notJsonType('but is missing') },

  { update: quantity('null'), rejection: notQuantity('null') },
  { update: quantity('"7"'), rejection: notQuantity('a string') },
  { update: quantity('true'), rejection: notQuantity('a boolean') },
  { update: quantity('[7]'), rejection: notQuantity('an array') },
  { update: quantity('{}'), rejection: notQuantity('an object') },
  { update: quantity('1.5'), rejection: notQuantity('a fraction') },
  { update: quantity('1.0000000000000000001'), rejection: notQuantity('a fraction') },
  { update: quantity('-1'), rejection: notQuantity('a negative number') },
  { update: quantity('9007199254740992'), rejection: notQuantity('a larger number') },
  { update: quantity('1e999'), rejection: notQuantity('a larger number') },
  { update: body('{}'), rejection: noQuantity },
  {
    update: { ...body('{}'), ...headers({ 'content-TYPE': ['Application/JSON; charset=utf-8'] }) },
    rejection: noQuantity,
  },
  { update: { ...body('{}'), ...type('application/json\t;') }, rejection: noQuantity },

  { update: body('{"quantity":7,"status":"sold"}'), rejection: otherKey('"status"') },
  { update: body('{"constructor":7}'), rejection: otherKey('"constructor"') },
  { update: body(`{"${'k'.repeat(25)}":7}`), rejection: otherKey(`"${'k'.repeat(24)}…"`) },
  { update: body('{"\u00adquantity":7}'), rejection: otherKey(String.raw`"\u00adquantity"`) },
  { update: body('{"quantity":7,"__proto__":{}}'), rejection: forbiddenKey },
  { update: body('\ufeff{"quantity":7,"__proto__":{}}'), rejection: forbiddenKey },
  { update: body('{"a":[{"constructor":{"prototype":{}}}]}'), rejection: forbiddenKey },
  { update: body('[]'), rejection: notObject('an array') },
  { update: body('null'), rejection: notObject('null') },
  { update: body('7'), rejection: notObject('a number') },
  { update: body('{"quantity":7'), rejection: notJson },
  { update: body(' '), rejection: notJson },
  // Only one is a byte order mark, and only at the beginning.
  { update: body('\ufeff\ufeff{}'), rejection: notJson },
  { update: body('{"\ufeffquantity":7}'), rejection: otherKey(String.raw`"\ufeffquantity"`) },
  { update: body(''), rejection: noBody },
  { update: body(null), rejection: noBody },

  { update: body(deep), rejection: notObject('an array') },
  { update: base64(deep), rejection: notObject('an array') },
  { update: body(`${deep} `), rejection: tooLarge(4_097) },
  { update: base64(`${deep} `), rejection: tooLarge(4_097) },
  { update: body('['.repeat(4_096)), rejection: notJson },
  // The size is checked before everything else.
  { update: { ...tooLong, ...petId('x'), ...headers({}) }, rejection: tooLarge(4_098) },
];
