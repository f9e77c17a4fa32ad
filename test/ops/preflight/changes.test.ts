import { expect, test } from '@jest/globals';
import {
  findingsOf,
  inventoryTable,
  logicalId,
  prod,
  stackName,
} from '../../support/ops/preflight-of-prod.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { changedTemplate, type Template } from '../../support/stack/synthesized.ts';

const deploy = `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`;
const isNew =
  `ok: ${stackName} is not deployed yet; all of it is new. ` + `First deployment: ${deploy}`;
const goOn =
  `ok: The first deployment of ${stackName} failed halfway (CREATE_FAILED). ` +
  `Continue: ${deploy}`;
const rollBack = `Roll it back: npx cdk rollback 'prod/*' --app ${assembly}`;
const wait = 'Wait until it has finished.';

const stopAt = (status: string, remedy: string) => ({
  status,
  finding: `stop: ${stackName} is ${status}. ${remedy}`,
});

test.each([
  { status: 'UPDATE_COMPLETE', finding: `ok: ${stackName} is up to date: no changes.` },
  { status: 'REVIEW_IN_PROGRESS', finding: isNew },
  { status: 'CREATE_FAILED', finding: goOn },
  stopAt('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', wait),
  stopAt('CREATE_IN_PROGRESS', wait),
  stopAt('UPDATE_ROLLBACK_FAILED', rollBack),
  stopAt('UPDATE_FAILED', rollBack),
  stopAt('DELETE_FAILED', 'Repair it in the CloudFormation console.'),
])('preflight says what to do with a stack in state $status', async ({ status, finding }) => {
  expect(await findingsOf('changes', { status })).toBe(finding);
});

const failedAs = (status: string) =>
  `The first deployment of ${stackName} failed and was rolled back (${status}).`;
const tables =
  'Tables that it left behind stay in the account, and are not used again: leftover tables, ' +
  'below, has the commands that delete them.';
const unprotect =
  'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
  `--region eu-west-1 --stack-name ${stackName}`;

const rolledBack = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

test.each(rolledBack)('preflight stops at a protected stack in state %s', async (status) => {
  const inTheWay = "The stack's protection keeps the next one from making it anew.";
  expect(await findingsOf('changes', { status, isProtected: true })).toBe(
    `stop: ${failedAs(status)} ${inTheWay} ${tables} Take it off and repeat: ${unprotect}`,
  );
});

test.each(rolledBack)('preflight accepts an unprotected stack in state %s', async (status) => {
  const anew = 'The next one deletes what is left of the stack, and makes it anew.';
  expect(await findingsOf('changes', { status })).toBe(
    `ok: ${failedAs(status)} ${anew} ${tables} First deployment: ${deploy}`,
  );
});

/** Returns prod's template with other logical IDs for those that begin like this. */
const renamed = (beginning: string, name: string): Template => {
  const pattern = new RegExp(`(?<=")${beginning}(?=\\w*")`, 'g');
  return JSON.parse(JSON.stringify(prod).replace(pattern, name));
};

const changedKey = changedTemplate(({ Resources }) => {
  const { Properties } = Resources[logicalId('AWS::DynamoDB::GlobalTable', 'InventoryTable')];
  Properties.KeySchema[0].AttributeName = 'id';
});

const withResource = (id: string, resource: object): Template =>
  changedTemplate(({ Resources }) => Object.assign(Resources, { [id]: resource }));

const losses = [
  {
    what: 'the key of a table',
    template: changedKey,
    finding: /^stop: The deployment replaces InventoryTable\w+ \(AWS::DynamoDB::GlobalTable\)\.$/m,
  },
  {
    what: 'the logical ID of a table',
    template: renamed('InventoryTable', 'OldTable'),
    finding:
      /^stop: The deployment removes OldTable\w+ \(\S+Table\) from the stack; AWS keeps it\.$/m,
  },
  {
    what: 'the logical ID of the API',
    template: renamed('Api(?=[0-9A-F]{8}")', 'OldApi'),
    finding: /^stop: The deployment deletes OldApi\w+ \(AWS::ApiGateway::RestApi\)\.$/m,
  },
  {
    what: 'the logical ID of its stage',
    template: renamed('ApiDeploymentStagep', 'OldStagep'),
    finding: /^stop: The deployment deletes OldStage\w+ \(AWS::ApiGateway::Stage\)\.$/m,
  },
  {
    what: 'a domain name',
    template: withResource('Domain', { Type: 'AWS::ApiGateway::DomainName', Properties: {} }),
    finding: /^stop: The deployment deletes Domain \(AWS::ApiGateway::DomainName\)\.$/m,
  },
  {
    what: 'an alarm of the stage',
    template: withResource('AlarmsOld0123ABCD', { Type: 'AWS::CloudWatch::Alarm' }),
    finding: /^warning: The deployment deletes AlarmsOld0123ABCD \(AWS::CloudWatch::Alarm\)\.$/m,
  },
  {
    what: 'the logical ID of something else',
    template: renamed('ListInventoryLogs', 'OldLogs'),
    finding: /^warning: The deployment deletes OldLogs\w+ \(AWS::Logs::LogGroup\)\.$/m,
  },
];

test.each(losses)('preflight says what is lost: $what', async (loss) => {
  const { template, finding } = loss;
  const found = await findingsOf('changes', { template });
  expect(found).toMatch(finding);
  expect(found).not.toMatch(/^ok/m);
});

test('continuing a first deployment that failed halfway loses a resource as well', async () => {
  const [{ template, finding }] = losses as [(typeof losses)[0]];
  const found = await findingsOf('changes', { template, status: 'CREATE_FAILED' });
  expect(found).toMatch(finding);
  expect(found.endsWith(`\n${goOn}`)).toBe(true);
});

test('preflight accepts new code, which replaces a version and its alarm', async () => {
  const version = logicalId('AWS::Lambda::Version');
  const hash = version.slice(-8);
  const template = JSON.parse(JSON.stringify(prod).replaceAll(hash, '00000000'));
  const replaced = Object.keys(template.Resources).filter((id) => /00000000$/.test(id));
  expect(replaced.length).toBeGreaterThan(1);
  const finding =
    /^ok: [1-9]\d* resources of prod-\S+ change; only old versions are replaced or deleted\.$/;
  expect(await findingsOf('changes', { template })).toMatch(finding);
});

const lostTable = `${stackName}-InventoryTable48F1-1ABC`;

test.each([
  { status: 'CREATE_FAILED', left: [lostTable] },
  { status: 'ROLLBACK_COMPLETE', left: [lostTable, inventoryTable] },
])('preflight warns of leftover tables beside a stack in $status', async ({ status, left }) => {
  const onTable = (name: string, command: string) =>
    `aws dynamodb ${command} --region eu-west-1 --table-name ${name}`;
  const warnings = left.map(
    (name) =>
      `warning: ${name} belongs to no stack: ` +
      'a failed first deployment or a destroyed stage left it behind. ' +
      'To delete it, once its data is no longer needed: ' +
      `${onTable(name, 'update-table --no-deletion-protection-enabled')} && ` +
      `${onTable(name, 'wait table-exists')} && ${onTable(name, 'delete-table')}`,
  );
  const TableNames = [lostTable, inventoryTable, 'another', `staging-${lostTable}`];
  const replies = { 'dynamodb ListTables': { TableNames } };
  expect(await findingsOf('leftover tables', { status, replies })).toBe(warnings.join('\n'));
});
