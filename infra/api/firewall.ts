import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { errorBody } from '../../functions/errors/api-error.ts';
import type { StageSettings } from '../settings/stage-settings.ts';

/** Seconds over which WAF counts the requests of an IP address. */
const window = 60;

export interface FirewallProps {
  stageName: string;
  limits: NonNullable<StageSettings['firewall']>;
  /** A regular expression for an Authorization header with a well-formed API key of the stage. */
  authorizationPattern: string;
}

/** A web ACL that limits the requests of each IP address. AWS evaluates it before it checks API keys. */
export class Firewall extends CfnWebACL {
  /** Values of the dimensions WebACL and Rule of the metrics in AWS/WAFV2. */
  readonly metricNames: { webAcl: string; rules: string[] };

  constructor(scope: Construct, id: string, { stageName, limits, authorizationPattern }: FirewallProps) {
    const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      // Samples hold the Authorization header.
      sampledRequestsEnabled: false,
    });
    const limit = (name: string, priority: number, max: number, scopeDownStatement?: CfnWebACL.StatementProperty) => ({
      name,
      priority,
      statement: {
        rateBasedStatement: {
          aggregateKeyType: 'IP',
          limit: max,
          evaluationWindowSec: window,
          ...(scopeDownStatement && { scopeDownStatement }),
        },
      },
      action: {
        block: {
          customResponse: {
            responseCode: 429,
            customResponseBodyKey: 'TooManyRequests',
            responseHeaders: [{ name: 'Retry-After', value: String(window) }],
          },
        },
      },
      visibilityConfig: visibilityConfig(name),
    });
    const wellFormedKey: CfnWebACL.StatementProperty = {
      regexMatchStatement: {
        regexString: authorizationPattern,
        fieldToMatch: { singleHeader: { Name: 'authorization' } },
        textTransformations: [{ priority: 0, type: 'NONE' }],
      },
    };
    const webAcl = `petstore-inventory-${stageName}`;
    super(scope, id, {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibilityConfig(webAcl),
      customResponseBodies: {
        TooManyRequests: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify(errorBody('too_many_requests', 'Too many requests. Try again later.')),
        },
      },
      rules: [
        limit('RequestsWithoutKey', 0, limits.withoutKeyLimit, { notStatement: { statement: wellFormedKey } }),
        limit('AllRequests', 1, limits.limit),
      ],
    });
    this.metricNames = { webAcl, rules: ['RequestsWithoutKey', 'AllRequests'] };
  }
}
