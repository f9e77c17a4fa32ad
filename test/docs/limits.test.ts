import { expect, test } from '@jest/globals';
import { sectionsOf, textOf } from '../support/docs/markdown.ts';
import { stackOf } from '../support/stack/synthesized.ts';
import type { Json } from '../support/stack/template.ts';

const { all } = stackOf('prod');

const sectionOf = (file: string, title: string): string =>
  sectionsOf(textOf(file)).find((section) => section.title === title)?.text ?? '';

/** A number as the documents write it. */
const written = (value: number): string => value.toLocaleString('en-US');

const [{ MethodSettings }] = all('AWS::ApiGateway::Stage');
const [{ Rules }] = all('AWS::WAFv2::WebACL');
const limitOf = (rule: string): string =>
  written(
    Rules.find(({ Name }: Json) => Name === rule).Statement.RateBasedStatement.Limit as number,
  );

/** Returns what the documents say of a method's throttling. */
const throttlingOf = (method: string): string => {
  const own = MethodSettings.find(({ HttpMethod }: Json) => HttpMethod === method);
  const rate = written(own.ThrottlingRateLimit);
  return `${rate} a second, in bursts of up to ${written(own.ThrottlingBurstLimit)}`;
};

test("docs/api.md names the stage's limits and the firewall's", () => {
  const text = sectionOf('docs/api.md', 'Limits').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`Updates: ${throttlingOf('PATCH')}.`);
  expect(text).toContain(`Lists: ${throttlingOf('GET')}.`);
  expect(text).toContain(
    `With one API key: ${limitOf('AllRequestsOfKey')} requests in a minute, ` +
      `of them ${limitOf('ListRequestsOfKey')} lists.`,
  );
  expect(text).toContain(
    `From one IP address: ${limitOf('AllRequests')} requests in a minute, ` +
      `of them ${limitOf('ListRequests')} lists and ${limitOf('RequestsWithoutKey')} requests ` +
      'without a well-formed key',
  );
});

test('docs/settings.md names the limits of prod', () => {
  const text = textOf('docs/settings.md').replaceAll(/\s+/g, ' ');
  const [{ MaxReadRequestUnits: reads }] = all('AWS::DynamoDB::GlobalTable').map(
    ({ Replicas }) => Replicas[0].ReadOnDemandThroughputSettings,
  );
  const inRow = (limits: string) => limits.replace('in bursts of up to ', '').concat(' in a burst');
  expect(text).toContain(`| \`throttling\` | ${inRow(throttlingOf('PATCH'))} |`);
  expect(text).toContain(`| \`list.throttling\` | ${inRow(throttlingOf('GET'))} |`);
  expect(text).toContain(`| ${written(reads)} reads, `);
  expect(text).toContain(
    `From one IP address: ${limitOf('AllRequests')} requests (\`perAddress.all\`), ` +
      `of them ${limitOf('ListRequests')} lists`,
  );
  expect(text).toContain(
    `With one API key: ${limitOf('AllRequestsOfKey')} requests (\`perKey.all\`), ` +
      `of them ${limitOf('ListRequestsOfKey')} lists`,
  );
  expect(text).toContain(`of the stage: ${limitOf('RequestsWithoutKey')} requests`);
});

test('docs/costs.md prices each rule of the firewall', () => {
  const text = textOf('docs/costs.md').replaceAll(/\s+/g, ' ');
  const names = Rules.map(({ Name }: Json) => Name).join(', ');
  expect(text).toContain(`five rules: ${names}.`);
  expect(text).toContain(`$${5 + Rules.length} a month`);
});

/** For so many days DynamoDB can restore a table, unless it is given another number. */
const defaultDays = 35;

test('docs/recovery.md says how far back the tables of prod can be restored', () => {
  const text = textOf('docs/recovery.md').replaceAll(/\s+/g, ' ');
  for (const { Replicas } of all('AWS::DynamoDB::GlobalTable')) {
    const [{ PointInTimeRecoverySpecification: recovery }] = Replicas;
    expect(recovery.PointInTimeRecoveryEnabled).toBe(true);
    const days = recovery.RecoveryPeriodInDays ?? defaultDays;
    expect(text).toContain(`Prod's tables can be restored to any moment of the last ${days} days`);
  }
});
