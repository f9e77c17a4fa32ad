import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Account } from './account.ts';
import { type DeployedStack, resourcesOf } from './deployed-stack.ts';
import { type Finding, findingOf } from './finding.ts';

/** Whether anybody is told when an alarm goes off. */
export const checkAlarmTopic = async (
  { client }: Account,
  { template }: CloudFormationStackArtifact,
  reading: Promise<DeployedStack | undefined>,
): Promise<Finding[]> => {
  const finding = findingOf('alarm subscribers');
  const [[topic] = ['']] = resourcesOf(template, 'AWS::SNS::Topic');
  const TopicArn = (await reading)?.resources.get(topic);
  const { Attributes: { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } = {} } = TopicArn
    ? await new SNSClient(client).send(new GetTopicAttributesCommand({ TopicArn }))
    : {};
  if (confirmed !== '0') {
    return [finding('ok', `${confirmed} confirmed.`)];
  }
  if (pending !== '0') {
    return [finding('warning', `None has confirmed, so alarms notify nobody. ${pending} got an e-mail with a link.`)];
  }
  const isAdded = resourcesOf(template, 'AWS::SNS::Subscription').length > 0;
  return isAdded
    ? [finding('ok', 'The deployment adds one, who gets an e-mail with a link to confirm.')]
    : [finding('warning', 'None, so alarms notify nobody. Set alarmEmail in infra/app.ts.')];
};
