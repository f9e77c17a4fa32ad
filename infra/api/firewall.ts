import { Aws } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { errorBody } from '../../functions/errors/api-error.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';

/** Seconds over which WAF counts the requests of an IP address. */
const window = 60;

const body = 'TooManyRequests';
const customResponse = {
  responseCode: 429,
  customResponseBodyKey: body,
  responseHeaders: [{ name: 'Retry-After', value: String(window) }],
};

const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Sampled requests would contain the Authorization header, and with it the API key.
  sampledRequestsEnabled: false,
});

const matches = (
  regexString: string,
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
): CfnWebACL.StatementProperty => ({
  regexMatchStatement: {
    regexString,
    fieldToMatch,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/**
 * A web ACL that limits the requests of each IP address, and more strictly lists and those without
 * a well-formed API key of the stage. AWS evaluates it before the authorizer checks the key.
 */
export class Firewall extends CfnWebACL {
  /** Returns one metric per rule: the number of requests that the rule has blocked. */
  readonly metricsOfBlocked: (options: (label: string) => MetricOptions) => Metric[];

  constructor(
    scope: Construct,
    id: string,
    stageName: string,
    limits: FirewallLimits,
    keyPattern: string,
  ) {
    const withoutKey = {
      notStatement: { statement: matches(keyPattern, { singleHeader: { Name: 'authorization' } }) },
    };
    const rules = [
      { name: 'RequestsWithoutKey', limit: limits.withoutKeyLimit, scopeDownStatement: withoutKey },
      {
        name: 'ListRequests',
        limit: limits.listLimit,
        scopeDownStatement: matches('^GET$', { method: {} }),
      },
      { name: 'AllRequests', limit: limits.limit },
    ];
    const WebACL = `petstore-inventory-${stageName}`;
    const content = JSON.stringify(
      errorBody('too_many_requests', 'Too many requests. Try again later.'),
    );
    super(scope, id, {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: { [body]: { contentType: 'APPLICATION_JSON', content } },
      rules: rules.map(({ name, ...rate }, priority) => ({
        name,
        priority,
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: window, ...rate },
        },
        action: { block: { customResponse } },
        visibilityConfig: visibilityConfig(name),
      })),
      visibilityConfig: visibilityConfig(WebACL),
    });
    this.metricsOfBlocked = (options) =>
      rules.map(({ name: Rule }) => {
        const dimensionsMap = { Region: Aws.REGION, WebACL, Rule };
        const more = options(`firewall: ${Rule}`);
        return new Metric({
          namespace: 'AWS/WAFV2',
          metricName: 'BlockedRequests',
          dimensionsMap,
          ...more,
        });
      });
  }
}
