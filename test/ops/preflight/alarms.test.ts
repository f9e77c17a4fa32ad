import { expect, test } from '@jest/globals';
import { awsError } from '../../support/ops/fake-aws.ts';
import { findingsOf, stackName } from '../../support/ops/preflight-of-prod.ts';
import { assembly } from '../../support/stack/assembly.ts';
import { changedTemplate } from '../../support/stack/synthesized.ts';

const subscription = { Type: 'AWS::SNS::Subscription' };
const nobody = 'so alarms notify nobody.';

test.each([
  { confirmed: 1, pending: 1, added: {}, finding: 'ok: 1 confirmed.' },
  {
    confirmed: 0,
    pending: 2,
    added: {},
    finding: `warning: None has confirmed, ${nobody} 2 got an e-mail with a link to confirm.`,
  },
  {
    confirmed: 0,
    pending: 0,
    added: {},
    finding: `warning: None, ${nobody} Set alarmEmail in infra/settings/stages.ts.`,
  },
  {
    confirmed: 0,
    pending: 0,
    added: { Email: subscription },
    finding: 'ok: The deployment adds one, who gets an e-mail with a link to confirm.',
  },
])(
  'preflight reports $confirmed confirmed and $pending pending alarm subscribers',
  async ({ confirmed, pending, added, finding }) => {
    const attributes = { SubscriptionsConfirmed: confirmed, SubscriptionsPending: pending };
    const entry = Object.entries(attributes).map(([key, value]) => ({ key, value }));
    const next = changedTemplate(({ Resources }) => Object.assign(Resources, added));
    const replies = { 'sns GetTopicAttributes': { Attributes: { entry } } };
    expect(await findingsOf('alarm subscribers', { next, replies })).toBe(finding);
  },
);

const alarm = `${stackName}-AlarmsFaults-1`;
const isOn =
  `stop: ${alarm} is on: requests fail, and would roll the deployment back. ` +
  'Look for invalid entries: npx --no -- petstore inventory check --stage prod. ' +
  `If this deployment is the remedy: npx cdk deploy 'prod/*' --app ${assembly}`;

test.each([
  { state: 'OK', finding: `ok: ${alarm} is OK.` },
  { state: 'INSUFFICIENT_DATA', finding: `ok: ${alarm} is INSUFFICIENT_DATA.` },
  { state: 'ALARM', finding: isOn },
])("preflight reads the state of prod's Faults alarm, $state", async ({ state, finding }) => {
  const MetricAlarms = [{ AlarmName: alarm, StateValue: state }];
  const replies = { 'monitoring DescribeAlarms': { MetricAlarms } };
  expect(await findingsOf('Faults alarm', { replies })).toBe(finding);
});

test('before the first deployment, there is no Faults alarm', async () => {
  expect(await findingsOf('Faults alarm', { isDeployed: false })).toBe('ok: There is none yet.');
});

test('preflight says if the state of the Faults alarm cannot be read', async () => {
  const replies = { 'monitoring DescribeAlarms': awsError('AccessDenied', 'not you') };
  expect(await findingsOf('Faults alarm', { replies })).toBe(
    'warning: Could not be checked. AccessDenied: not you',
  );
});
