import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/**
 * The topic that the alarms publish to. It accepts only TLS, and no alarms of other accounts.
 */
export class AlarmTopic extends Topic {
  /** @param email whom it notifies; nobody, if it is undefined */
  constructor(scope: Construct, id: string, email: string | undefined) {
    super(scope, id, { enforceSSL: true });
    // The policy that enforceSSL adds replaces the default one, which would let CloudWatch publish.
    const allowAlarms = new PolicyStatement({
      sid: 'AllowAlarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [this.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    });
    this.addToResourcePolicy(allowAlarms);
    if (email) {
      this.addSubscription(new EmailSubscription(email));
    }
  }
}
