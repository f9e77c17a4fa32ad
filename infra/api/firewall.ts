import { Aws } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { errorBody } from '../../functions/errors/api-error.ts';
import { operations } from '../service/operations.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';
import { type FirewallRule, firewallRules } from './firewall-rules.ts';

/** Seconds over which WAF counts the requests of a client. */
const window = 60;

const bodyKey = 'TooManyRequests';
const customResponse = {
  responseCode: 429,
  customResponseBodyKey: bodyKey,
  responseHeaders: [{ name: 'Retry-After', value: String(window) }],
};

export interface FirewallProps {
  stageName: string;
  limits: FirewallLimits;
  /** Matches an Authorization header that holds a well-formed API key of the stage. */
  authorizationPattern: string;
}

/**
 * A web ACL that limits the requests of each IP address and of each API key: all, and more strictly
 * lists and those without a well-formed key of the stage. AWS evaluates it before the authorizer
 * checks the key.
 */
export class Firewall extends CfnWebACL {
  readonly #webAcl: string;
  readonly #rules: FirewallRule[];

  constructor(scope: Construct, id: string, props: FirewallProps) {
    const webAcl = `petstore-inventory-${props.stageName}`;
    const { limits, authorizationPattern } = props;
    const rules = firewallRules({ limits, authorizationPattern, operations });
    const content = JSON.stringify(
      errorBody('too_many_requests', 'Too many requests. Try again later.'),
    );
    super(scope, id, {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: { [bodyKey]: { contentType: 'APPLICATION_JSON', content } },
      rules: rules.map(toCfnRule),
      visibilityConfig: visibilityConfig(webAcl),
    });
    this.#webAcl = webAcl;
    this.#rules = rules;
  }

  /** Returns one metric per rule: the number of requests that the rule has blocked. */
  metricsOfBlocked(options: (label: string) => MetricOptions): Metric[] {
    return this.#rules.map(
      ({ name }) =>
        new Metric({
          namespace: 'AWS/WAFV2',
          metricName: 'BlockedRequests',
          dimensionsMap: { Region: Aws.REGION, WebACL: this.#webAcl, Rule: name },
          ...options(`firewall: ${name}`),
        }),
    );
  }
}

const toCfnRule = (rule: FirewallRule, priority: number): CfnWebACL.RuleProperty => ({
  name: rule.name,
  priority,
  statement: {
    rateBasedStatement: {
      ...rule.client,
      limit: rule.limit,
      evaluationWindowSec: window,
      scopeDownStatement: rule.counts,
    },
  },
  action: { block: { customResponse } },
  visibilityConfig: visibilityConfig(rule.name),
});

const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Sampled requests would contain the Authorization header, and with it the API key.
  sampledRequestsEnabled: false,
});
