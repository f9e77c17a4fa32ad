import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { blocksOf, sectionsOf, textOf } from '../support/docs/markdown.ts';
import { errors, rejectedUpdates, tooLarge } from '../support/http/rejections.ts';
import { stackOf } from '../support/stack/synthesized.ts';

const { all } = stackOf('prod');
const sections = sectionsOf(textOf('docs/errors.md')).map(({ title, text }) => ({
  code: title.replaceAll('`', ''),
  text,
  bodies: blocksOf(text, 'json').map((block) => JSON.parse(block)),
}));

/** The bodies that functions send. Other tests compare the functions' responses with these. */
const ofFunctions = [
  ...Object.values(errors),
  ...rejectedUpdates.map(({ rejection }) => rejection),
  tooLarge(4_097),
].map(([status, code, message]) => ({ code, message, status }));

const json = 'application/json';
const ofGateway = all('AWS::ApiGateway::GatewayResponse').map(({ ResponseTemplates }) =>
  JSON.parse(ResponseTemplates[json]),
);
const ofMocks = all('AWS::ApiGateway::Method')
  .flatMap(({ Integration }) => Integration.IntegrationResponses ?? [])
  .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates[json]));
const ofFirewall = all('AWS::WAFv2::WebACL')
  .flatMap(({ CustomResponseBodies }) => Object.values<{ Content: string }>(CustomResponseBodies))
  .map(({ Content }) => JSON.parse(Content));

/** Every body of an Error response that the service sends. */
const sent = [...ofFunctions, ...ofGateway, ...ofMocks, ...ofFirewall];

const unique = (values: string[]) => [...new Set(values)].sort();

test('docs/errors.md has a section for each code, in the order of the code', () => {
  expect(sections.map(({ code }) => code)).toEqual(Object.keys(statusOfCode));
});

test('every code is one that the service sends', () => {
  expect(unique(sent.map(({ code }) => code))).toEqual(unique(Object.keys(statusOfCode)));
});

test.each(sections)('docs/errors.md shows $code as the service sends it', ({ code, bodies }) => {
  expect(bodies).not.toEqual([]);
  for (const body of bodies) {
    expect(body.code).toBe(code);
    expect(sent).toContainEqual(body);
  }
});

test.each(sections)('docs/errors.md says why $code comes and what to do', ({ text }) => {
  const labels = [...text.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, label]) => label);
  expect(labels).toEqual(['Why:', 'What to do:', 'Did the update happen?']);
});

test.each(sections)(
  'docs/errors.md says of $code whether the update happened',
  ({ code, text }) => {
    const status = statusOfCode[code as keyof typeof statusOfCode];
    expect(/Did the update happen\?\*\* (\w+)/.exec(text)?.[1]).toBe(
      status < 500 ? 'No' : 'Perhaps',
    );
  },
);

// A program that repeats a request as the page says must find how long to wait.
test('docs/errors.md names the header Retry-After where the service sends it', () => {
  const waits = all('AWS::ApiGateway::GatewayResponse')
    .filter(({ ResponseParameters = {} }) =>
      Object.keys(ResponseParameters).some((name) => name.endsWith('.Retry-After')),
    )
    .map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates[json]).code);
  const named = sections.filter(({ text }) => /has the header `Retry-After`/.test(text));
  expect(unique(named.map(({ code }) => code))).toEqual(unique([...waits, errors.unavailable[1]]));
});
