import { expect, test } from '@jest/globals';
import { sectionsOf, textOf } from '../support/docs/markdown.ts';
import { awsError } from '../support/ops/fake-aws.ts';
import { preflightOfProd } from '../support/ops/preflight-of-prod.ts';

const isTable = ({ title }: { title: string }) => title === 'What it checks';
const text = sectionsOf(textOf('docs/preflight.md')).find(isTable)?.text ?? '';
const listed: string[] = text.match(/(?<=^\| `)[^`]+/gm) ?? [];

const namesOf = (findings: { check: string }[]): string[] => [
  ...new Set(findings.map(({ check }) => check)),
];

test('docs/preflight.md lists every check by the name that it prints, in its order', async () => {
  const printed = namesOf(await preflightOfProd());
  expect(printed.length).toBeGreaterThan(10);
  // It is printed only if none is set.
  expect(listed).toEqual(['region', ...printed]);
});

test('docs/preflight.md names the checks that print another name if they cannot read', async () => {
  const denied = awsError('AccessDenied', 'not you');
  const reads = ['apigateway GET /account', 'lambda GET /2016-08-19/account-settings'];
  const replies = Object.fromEntries(
    [...reads, 'dynamodb DescribeTable'].map((call) => [call, denied]),
  );
  const printed = namesOf(await preflightOfProd({ replies }));
  const [, others = ''] = /may have a shorter name: (.*?)\./s.exec(text) ?? [];
  const shorter = printed.filter((name) => !listed.includes(name));
  const named = [...others.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(shorter);
});
