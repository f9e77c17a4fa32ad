import { expect, test } from '@jest/globals';
import { violations } from '../../../../ops/acceptance/suite/openapi.ts';

const tooManyRequests = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '1' },
  text: '{"code":"too_many_requests","message":"Too many requests.","status":429}',
};

const conflict = { ...tooManyRequests, status: 409 };

test.each([
  { what: 'nothing', response: tooManyRequests, found: [] },
  { what: 'an undocumented status', response: conflict, found: ['409 is no response to'] },
  {
    what: 'a missing header',
    response: { ...tooManyRequests, headers: { 'content-type': 'application/json' } },
    found: ["data/headers must have required property 'retry-after'"],
  },
  {
    what: 'a malformed header',
    response: { ...tooManyRequests, headers: { ...tooManyRequests.headers, 'retry-after': '0' } },
    found: ['data/headers/retry-after must match pattern'],
  },
  {
    what: 'a body of another status',
    response: { ...tooManyRequests, text: tooManyRequests.text.replace('429', '430') },
    found: ['data/body/status must be equal to constant'],
  },
])('violations finds $what', ({ response, found }) => {
  expect(violations('GET', '/v1/inventory', response)).toEqual(
    found.map((text) => expect.stringContaining(text)),
  );
});
