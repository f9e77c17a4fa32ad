import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/** Where the alarms of the stack publish: over TLS, and nobody else's alarms. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, email: string | undefined) {
    super(scope, id, { enforceSSL: true });
    // A topic with any policy, such as that of enforceSSL, has no default policy that would let CloudWatch in.
    this.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (email) {
      this.addSubscription(new EmailSubscription(email));
    }
  }
}
