import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import type { Account } from './account.ts';
import { type DeployedStack, resourcesOf } from './deployed-stack.ts';
import type { Finding } from './finding.ts';

/** Whether anybody is told when an alarm goes off. */
export const checkAlarmTopic = async (
  { client }: Account,
  { template }: CloudFormationStackArtifact,
  reading: Promise<DeployedStack | undefined>,
): Promise<Finding[]> => {
  const finding = (outcome: Finding['outcome'], message: string): Finding[] => [
    { check: 'alarm subscribers', outcome, message },
  ];
  const [[topic] = ['']] = resourcesOf(template, 'AWS::SNS::Topic');
  const TopicArn = (await reading)?.resources.get(topic);
  const { Attributes: { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } = {} } = TopicArn
    ? await new SNSClient(client).send(new GetTopicAttributesCommand({ TopicArn }))
    : {};
  if (confirmed !== '0') {
    return finding('ok', `${confirmed} confirmed.`);
  }
  if (pending !== '0') {
    return finding('warning', `None has confirmed, so no alarm tells anybody. ${pending} got an e-mail with a link.`);
  }
  return resourcesOf(template, 'AWS::SNS::Subscription').length > 0
    ? finding('ok', 'The deployment adds one, who gets an e-mail with a link to confirm.')
    : finding('warning', 'None, so no alarm tells anybody. Set alarmEmail in infra/app.ts.');
};
