import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { SNS } from '@aws-sdk/client-sns';
import { npxPetstore } from '../cli/command-line.ts';
import type { Check, Deployed } from './deployment.ts';
import { resourcesOf } from './template.ts';

/** Checks that somebody is notified when an alarm of prod goes off. */
export const checkSubscribers: Check = async (deployment, report) => {
  const { stageName, client, stack, deployed } = deployment;
  if (stageName !== 'prod') {
    return;
  }
  const [topic] = resourcesOf(stack.template, 'AWS::SNS::Topic');
  const TopicArn = (await deployed)?.resources.get(topic?.logicalId);
  const attributes = TopicArn
    ? (await new SNS(client).getTopicAttributes({ TopicArn })).Attributes
    : {};
  const confirmed = Number(attributes?.SubscriptionsConfirmed ?? 0);
  const pending = Number(attributes?.SubscriptionsPending ?? 0);
  if (confirmed > 0) {
    report('ok', `${confirmed} confirmed.`);
  } else if (pending > 0) {
    const nobody = 'None has confirmed, so alarms notify nobody.';
    report('warning', `${nobody} ${pending} got an e-mail with a link to confirm.`);
  } else if (resourcesOf(stack.template, 'AWS::SNS::Subscription').length > 0) {
    report('ok', 'The deployment adds one, who gets an e-mail with a link to confirm.');
  } else {
    report('warning', 'None, so alarms notify nobody. Set alarmEmail in infra/settings/stages.ts.');
  }
};

/** Returns the name of the Faults alarm, if it is deployed. */
const nameOfFaultsAlarm = ({ template, resources }: Deployed): string | undefined => {
  const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm');
  const alarm = alarms.find(({ logicalId }) => /^AlarmsFaults[0-9A-F]{8}$/.test(logicalId));
  return resources.get(alarm?.logicalId);
};

/**
 * Stops while requests of prod fail: the alarms of new versions count the same faults, so an
 * invalid stored entry would roll the deployment back.
 */
export const checkFaults: Check = async ({ stageName, client, cdk, deployed }, report) => {
  if (stageName !== 'prod') {
    return;
  }
  const before = await deployed;
  const name = before && nameOfFaultsAlarm(before);
  if (name === undefined) {
    report('ok', 'There is none yet.');
    return;
  }
  const { MetricAlarms = [] } = await new CloudWatch(client).describeAlarms({ AlarmNames: [name] });
  const state = MetricAlarms[0]?.StateValue ?? 'missing';
  if (state !== 'ALARM') {
    report('ok', `${name} is ${state}.`);
    return;
  }
  report(
    'stop',
    `${name} is on: requests fail, and would roll the deployment back. ` +
      `Look for invalid entries: ${npxPetstore} inventory check --stage prod. ` +
      `If this deployment is the remedy: ${cdk('deploy')}`,
  );
};
