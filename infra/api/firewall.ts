import { Aws } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { type ErrorCode, errorBody } from '../../functions/errors/api-error.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';
import { firewallRules, headersRule, visibilityConfig, withoutKeyRule } from './firewall-rules.ts';
import { tooManyRequests } from './gateway-responses.ts';

interface FirewallProps {
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
  readonly #rules: string[];

  constructor(scope: Construct, id: string, props: FirewallProps) {
    const { stageName, limits, authorizationPattern } = props;
    const webAcl = `petstore-inventory-${stageName}`;
    const rules = firewallRules({ limits, authorizationPattern });
    super(scope, id, {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: {
        TooManyRequests: jsonBody('too_many_requests', tooManyRequests),
        Forbidden: jsonBody(
          'forbidden',
          'The request has more than 200 headers, or more than 8 KB of headers.',
        ),
      },
      rules,
      visibilityConfig: visibilityConfig(webAcl),
    });
    this.#webAcl = webAcl;
    this.#rules = rules.map(({ name }) => name);
  }

  /** Returns a metric for each rule: the number of requests that it has blocked. */
  metricsOfBlocked(options: (label: string) => MetricOptions): Metric[] {
    return this.#rules.map((rule) => this.#metricOfBlocked(rule, options(`firewall: ${rule}`)));
  }

  /**
   * Returns a metric for each rule that may have blocked the request of a client with a key: a limit
   * was reached, and not the one of requests without a key.
   */
  metricsOfRefusedClients(options: MetricOptions): Metric[] {
    return this.#rules
      .filter((rule) => rule !== headersRule && rule !== withoutKeyRule)
      .map((rule) => this.#metricOfBlocked(rule, options));
  }

  #metricOfBlocked(rule: string, options: MetricOptions): Metric {
    return new Metric({
      namespace: 'AWS/WAFV2',
      metricName: 'BlockedRequests',
      dimensionsMap: { Region: Aws.REGION, WebACL: this.#webAcl, Rule: rule },
      ...options,
    });
  }
}

const jsonBody = (code: ErrorCode, message: string): CfnWebACL.CustomResponseBodyProperty => ({
  contentType: 'APPLICATION_JSON',
  content: JSON.stringify(errorBody(code, message)),
});
