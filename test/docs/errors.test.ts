import { expect, test } from '@jest/globals';
import { statusOfCode } from '../../functions/errors/api-error.ts';
import { anchorsOf, blocksOf, textOf } from '../support/docs/markdown.ts';
import { errors, rejectedUpdates, tooLarge } from '../support/http/rejections.ts';
import { stackOf } from '../support/stack/synthesized.ts';

const page = 'docs/errors.md';
const codes = Object.keys(statusOfCode);

test('docs/errors.md has an anchor for each code', () => {
  const anchors = anchorsOf(page);
  expect(codes.filter((code) => !anchors.includes(code))).toEqual([]);
});

/** The bodies that the functions send. Other tests compare their responses with these. */
const ofFunctions = [
  ...Object.values(errors),
  ...rejectedUpdates.map(({ rejection }) => rejection),
  tooLarge(4_097),
].map(([status, code, message]) => ({ code, message, status }));

const { all } = stackOf('prod');
const json = 'application/json';
const ofGateway = [
  ...all('AWS::ApiGateway::GatewayResponse'),
  ...all('AWS::ApiGateway::Method').flatMap(
    ({ Integration }) => Integration.IntegrationResponses ?? [],
  ),
].map(({ ResponseTemplates }) => JSON.parse(ResponseTemplates[json]));
const ofFirewall = all('AWS::WAFv2::WebACL')
  .flatMap(({ CustomResponseBodies }) => Object.values<{ Content: string }>(CustomResponseBodies))
  .map(({ Content }) => JSON.parse(Content));

/** Messages with a part that differs from one request to the next are compared up to it. */
const beginnings = [...ofFunctions, ...ofGateway, ...ofFirewall];

test('every Error body that docs/errors.md shows is one that the service sends', () => {
  const shown = blocksOf(textOf(page), 'json').map((block) => JSON.parse(block));
  expect(shown).not.toEqual([]);
  for (const body of shown) {
    expect(beginnings).toContainEqual(body);
  }
});
