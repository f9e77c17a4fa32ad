import { expect, test } from '@jest/globals';
import { findingsOf, logicalId, prod } from '../../support/ops/preflight-of-prod.ts';
import { changedTemplate, resourcesOf, type Template } from '../../support/stack/synthesized.ts';

interface ListSettings {
  rate?: number;
  burst?: number;
  timeLimit?: number;
  reserved?: number;
  /** null for a table without a ceiling. */
  readCeiling?: number | null;
}

const tableId = logicalId('AWS::DynamoDB::GlobalTable', 'InventoryTable');
const listId = logicalId('AWS::Lambda::Function', 'ListInventory');

/** Returns prod's template with these settings of lists. */
const withLists = (settings: ListSettings): Template => {
  const { rate = 10, burst = 20, timeLimit = 60, reserved, readCeiling = 40_000 } = settings;
  return changedTemplate(({ Resources }) => {
    const list = Resources[listId].Properties;
    list.Environment.Variables.LIST_TIMEOUT_SECONDS = String(timeLimit);
    list.ReservedConcurrentExecutions = reserved;
    const [replica] = Resources[tableId].Properties.Replicas;
    replica.ReadOnDemandThroughputSettings =
      readCeiling === null ? undefined : { MaxReadRequestUnits: readCeiling };
    const [stage] = Object.values(resourcesOf({ Resources }, 'AWS::ApiGateway::Stage'));
    const limits = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    const ofNoOperation = { ThrottlingRateLimit: 9, ThrottlingBurstLimit: 9 };
    stage.Properties.MethodSettings = [
      { HttpMethod: 'GET', ResourcePath: '/~1v1', ...ofNoOperation },
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 2_000,
        ThrottlingBurstLimit: 4_000,
      },
      { HttpMethod: 'GET', ResourcePath: '/~1v1~1inventory', ...limits },
    ];
  });
};

const sooner =
  ', so clients get a 429 sooner. Lower throttling, or ask for more: ' +
  'Service Quotas, Amazon API Gateway, Throttle rate.';

test.each([
  { rateLimit: 2_010, burstLimit: 4_020, outcome: 'ok', end: '.' },
  { rateLimit: 2_009, burstLimit: 4_020, outcome: 'warning', end: sooner },
  { rateLimit: 2_010, burstLimit: 4_019, outcome: 'warning', end: sooner },
])(
  "preflight compares the stage's 2,010 and 4,020 with limits of $rateLimit and $burstLimit",
  async ({ rateLimit, burstLimit, outcome, end }) => {
    const replies = { 'apigateway GET /account': { throttleSettings: { rateLimit, burstLimit } } };
    expect(await findingsOf('API Gateway throttling', { next: withLists({}), replies })).toBe(
      `${outcome}: The stage allows listInventory 10 requests a second and 20 at once, ` +
        'updateInventory 2000 requests a second and 4000 at once; ' +
        `the account allows ${rateLimit} and ${burstLimit} for all its APIs${end}`,
    );
  },
);

const roleOfOthers = 'arn:aws:iam::111122223333:role/logs';
const roleOfStage =
  'arn:aws:iam::111122223333:role/prod-petstore-inventory-ApiCloudWatchRole73EC6FC4-x';
const setsItsOwn = 'the first deployment of a stage sets its own.';

test.each([
  { role: undefined, name: 'None yet', origin: setsItsOwn },
  { role: roleOfOthers, name: roleOfOthers, origin: setsItsOwn },
  { role: roleOfStage, name: roleOfStage, origin: 'it belongs to this stage.' },
])('preflight says where the log role $role comes from', async ({ role, name, origin }) => {
  const replies = { 'apigateway GET /account': { cloudwatchRoleArn: role } };
  expect(await findingsOf('API Gateway log role', { replies })).toBe(
    `ok: ${name}. All APIs in the account and region share one log role; ${origin}`,
  );
});

/** Returns the reply of Lambda for an account with these executions. */
const executions = (quota: number, unreserved = quota) => ({
  'lambda GET /2016-08-19/account-settings': {
    AccountLimit: { ConcurrentExecutions: quota, UnreservedConcurrentExecutions: unreserved },
  },
});

const askForMore = 'sk for more: Service Quotas, Lambda, Concurrent executions.';

test.each([
  {
    what: 'nothing',
    quota: 1_000,
    finding:
      "ok: 1000 of the account's concurrency of 1000 is unreserved; AWS keeps 100 of it, " +
      'so list.reservedConcurrency may be at most 900.',
  },
  {
    what: 'as much as AWS allows',
    quota: 1_000,
    after: 900,
    finding:
      "ok: 100 of the account's concurrency of 1000 is unreserved; AWS keeps 100 of it, " +
      'so list.reservedConcurrency may be at most 900.',
  },
  {
    what: 'one more than that',
    quota: 1_000,
    after: 901,
    finding:
      "stop: The stage reserves 901 of the account's 1000 and would leave 99 unreserved; " +
      `AWS requires 100. So list.reservedConcurrency may be at most 900, or a${askForMore}`,
  },
  {
    what: 'what it has reserved before',
    quota: 1_000,
    unreserved: 103,
    before: 897,
    after: 897,
    finding:
      "ok: 103 of the account's concurrency of 1000 is unreserved; AWS keeps 100 of it, " +
      'so list.reservedConcurrency may be at most 900.',
  },
  {
    what: 'nothing any more',
    quota: 1_000,
    unreserved: 100,
    before: 900,
    finding:
      "ok: 1000 of the account's concurrency of 1000 is unreserved; AWS keeps 100 of it, " +
      'so list.reservedConcurrency may be at most 900.',
  },
  {
    what: 'anything, in a new account',
    quota: 10,
    after: 1,
    finding:
      "stop: The stage reserves 1 of the account's 10 and would leave 9 unreserved; " +
      `AWS requires 100. So list.reservedConcurrency cannot be set, or a${askForMore}`,
  },
])('preflight checks a stage that reserves $what', async (row) => {
  const { quota, unreserved = quota, before, after, finding } = row;
  const template = withLists(before === undefined ? {} : { reserved: before });
  const next = withLists(after === undefined ? {} : { reserved: after });
  const replies = executions(quota, unreserved);
  expect(await findingsOf('Lambda concurrency', { replies, template, next })).toBe(finding);
});

test('a stack that was rolled back reserves nothing', async () => {
  const next = withLists({ reserved: 901 });
  const rolledBack = { status: 'ROLLBACK_COMPLETE', template: next, next };
  expect(await findingsOf('Lambda concurrency', rolledBack)).toMatch(/^stop: .* leave 99 /);
});

/** Returns the reply of DynamoDB for a table of this many entries, of 40 bytes each. */
const table = (entries: number) => ({
  'dynamodb DescribeTable': { Table: { ItemCount: entries, TableSizeBytes: entries * 40 } },
});

const million = 1_000_000;

test.each([
  {
    entries: 1_000,
    timeLimit: 30,
    finding:
      'ok: A plain list of all entries (1,000 entries, about 1 MB; ' +
      'DynamoDB counts them every six hours) ' +
      "takes 0 s at AWS's pace, of the 30 s of list.timeout.",
  },
  {
    entries: million,
    timeLimit: 60,
    finding:
      'ok: A plain list of all entries (1,000,000 entries, about 63 MB; ' +
      'DynamoDB counts them every six hours) ' +
      "takes 29 s at AWS's pace, of the 60 s of list.timeout.",
  },
  {
    entries: 4 * million,
    timeLimit: 60,
    finding:
      'warning: A plain list of all entries (4,000,000 entries, about 252 MB; ' +
      'DynamoDB counts them every six hours) ' +
      "takes 123 s at AWS's pace, of the 60 s of list.timeout, so it is cut off. " +
      'Set list.timeout to 123 s or more, or have clients accept gzip.',
  },
  {
    entries: 10 * million,
    timeLimit: 300,
    finding:
      'warning: A plain list of all entries (10,000,000 entries, about 630 MB; ' +
      'DynamoDB counts them every six hours) ' +
      "takes 312 s at AWS's pace, of the 300 s of list.timeout, so it is cut off. " +
      'list.timeout may be 300 s at most: have clients accept gzip.',
  },
])('preflight says how long a list of $entries entries takes', async (row) => {
  const { entries, timeLimit, finding } = row;
  const next = withLists({ timeLimit });
  expect(await findingsOf('list time', { next, replies: table(entries) })).toBe(finding);
});

test('preflight says that there is no size before the first deployment', async () => {
  const missing = 'ok: Unknown before the first deployment, because there is no table yet.';
  expect(await findingsOf('list time', { isDeployed: false })).toBe(missing);
});

test('preflight compares bursts of lists before the first deployment', async () => {
  const differences = { isDeployed: false, next: withLists({}) };
  expect(await findingsOf('list concurrency', differences)).toBe(
    `ok: A burst needs 20 at once; 1000 is unreserved. ${worst}`,
  );
});

const worst = 'At worst, if each list takes 60 s, 600 run at once.';

test.each([
  {
    what: 'an account that has enough',
    finding:
      'ok: 10 plain lists of all entries a second need a concurrency of 285, ' +
      'a burst needs 20 at once; ' +
      `1000 is unreserved. ${worst}`,
  },
  {
    what: 'a reservation that has just enough',
    settings: { reserved: 285 },
    finding:
      'ok: 10 plain lists of all entries a second need a concurrency of 285, ' +
      'a burst needs 20 at once; ' +
      `285 is reserved for lists. ${worst}`,
  },
  {
    what: 'a reservation that is too small',
    settings: { reserved: 284 },
    finding:
      'warning: 10 plain lists of all entries a second need a concurrency of 285, ' +
      'a burst needs 20 at once; ' +
      '284 is reserved for lists, so clients get a 5xx. ' +
      'Set list.throttling to a rateLimit of 9 and a burstLimit of 20, ' +
      `or set list.reservedConcurrency to 285. ${worst}`,
  },
  {
    what: 'an account that has too few',
    quota: 100,
    finding:
      'warning: 10 plain lists of all entries a second need a concurrency of 285, ' +
      'a burst needs 20 at once; ' +
      '100 is unreserved, so clients get a 5xx. ' +
      `Set list.throttling to a rateLimit of 3 and a burstLimit of 20, or a${askForMore} ${worst}`,
  },
  {
    what: 'an account in which not even one fits',
    quota: 10,
    finding:
      'warning: 10 plain lists of all entries a second need a concurrency of 285, ' +
      'a burst needs 20 at once; ' +
      `10 is unreserved, so clients get a 5xx. A${askForMore} ${worst}`,
  },
  {
    what: 'a burst that does not fit, of short lists',
    entries: 1,
    quota: 10,
    finding:
      'warning: 10 plain lists of all entries a second need a concurrency of 0, ' +
      'a burst needs 20 at once; ' +
      '10 is unreserved, so clients get a 5xx. ' +
      `Set list.throttling to a rateLimit of 10 and a burstLimit of 10, or a${askForMore} ${worst}`,
  },
  {
    what: 'lists that are cut off',
    entries: 10 * million,
    finding:
      'ok: 10 plain lists of all entries a second need a concurrency of 600, ' +
      'a burst needs 20 at once; ' +
      `1000 is unreserved. ${worst}`,
  },
])('preflight compares lists with $what', async (row) => {
  const { settings = {}, entries = million, quota = 1_000, finding } = row;
  const replies = { ...table(entries), ...executions(quota) };
  const next = withLists(settings);
  expect(await findingsOf('list concurrency', { next, replies })).toBe(finding);
});

test.each([
  {
    what: 'a ceiling that allows them',
    readCeiling: 97_660,
    finding:
      'ok: 10 lists a second of all entries read 97,660 units a second; ' +
      'tables.ceiling.read allows 97,660.',
  },
  {
    what: 'one that is too low',
    readCeiling: 97_659,
    finding:
      'warning: 10 lists a second of all entries read 97,660 units a second, ' +
      'but tables.ceiling.read allows 97,659; others are throttled. ' +
      'Set list.throttling.rateLimit to 9, or tables.ceiling.read to 97660 ' +
      'and, above 40,000, the quota of a table to the same.',
  },
  {
    what: 'one that does not allow a single one',
    readCeiling: 9_765,
    finding:
      'warning: 10 lists a second of all entries read 97,660 units a second, ' +
      'but tables.ceiling.read allows 9,765; others are throttled. ' +
      'Set tables.ceiling.read to 97660 ' +
      'and, above 40,000, the quota of a table to the same.',
  },
  {
    what: 'no ceiling',
    readCeiling: null,
    finding:
      'ok: 10 lists a second of all entries read 97,660 units a second; ' +
      'tables.ceiling is not set.',
  },
])('preflight compares the reads of lists with $what', async ({ readCeiling, finding }) => {
  const next = withLists({ readCeiling });
  expect(await findingsOf('list reads', { next, replies: table(million) })).toBe(finding);
});

test('preflight goes on if the size of the table cannot be read', async () => {
  const denied = Object.assign(new Error('not you'), { name: 'AccessDeniedException' });
  const replies = { 'dynamodb DescribeTable': denied };
  expect(await findingsOf('lists', { template: prod, replies })).toBe(
    'warning: Could not be checked. AccessDeniedException: not you',
  );
});
