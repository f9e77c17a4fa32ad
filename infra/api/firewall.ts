import { Aws, CfnDeletionPolicy } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { errorBody } from '../../functions/errors/api-error.ts';
import { basePath, listInventory } from '../service/operations.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';
import { tooManyRequests } from './gateway-responses.ts';

type Statement = CfnWebACL.StatementProperty;

/** Seconds over which WAF counts the requests of a client. */
const window = 60;

interface FirewallProps {
  stageName: string;
  stage: Stage;
  limits: FirewallLimits;
}

/**
 * A web ACL that limits the requests of each IP address and of each API key: all, and more strictly
 * lists. AWS evaluates it before the authorizer checks the key.
 */
export class Firewall extends CfnWebACL {
  readonly #webAcl: string;
  readonly #rules: string[];

  constructor(scope: Construct, id: string, { stageName, stage, limits }: FirewallProps) {
    const webAcl = `petstore-inventory-${stageName}`;
    const rules = limitsOfClients(limits).map(limiting);
    super(scope, id, {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: {
        TooManyRequests: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify(errorBody('too_many_requests', tooManyRequests)),
        },
      },
      rules,
      visibilityConfig: visibilityConfig(webAcl),
    });
    this.#webAcl = webAcl;
    this.#rules = rules.map(({ name }) => name);
    const association = new CfnWebACLAssociation(scope, 'WebAcl', {
      resourceArn: stage.stageArn,
      webAclArn: this.attrArn,
    });
    // After a replacement, deleting the old association would also detach the new web ACL from the
    // stage.
    association.cfnOptions.updateReplacePolicy = CfnDeletionPolicy.RETAIN;
    association.cfnOptions.deletionPolicy = CfnDeletionPolicy.DELETE;
  }

  /** Returns a metric for each rule: the number of requests that it has blocked. */
  metricsOfBlocked(options: (label: string) => MetricOptions): Metric[] {
    return this.#rules.map(
      (Rule) =>
        new Metric({
          namespace: 'AWS/WAFV2',
          metricName: 'BlockedRequests',
          dimensionsMap: { Region: Aws.REGION, WebACL: this.#webAcl, Rule },
          ...options(`firewall: ${Rule}`),
        }),
    );
  }
}

/** A limit of each client. */
interface Limit {
  name: string;
  /** Requests a minute. */
  limit: number;
  /** How clients are told apart. */
  client: Pick<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType' | 'customKeys'>;
  /** Which requests count. Default: all. */
  counts?: Statement;
}

/** Returns the limits in the order in which AWS evaluates them. */
const limitsOfClients = ({ perAddress, perKey }: FirewallLimits): Limit[] => [
  { name: 'ListRequests', limit: perAddress.lists, client: address, counts: isList },
  { name: 'AllRequests', limit: perAddress.all, client: address },
  { name: 'ListRequestsOfKey', limit: perKey.lists, client: key, counts: isList },
  { name: 'AllRequestsOfKey', limit: perKey.all, client: key },
];

const limiting = (
  { name, limit, client, counts }: Limit,
  priority: number,
): CfnWebACL.RuleProperty => ({
  name,
  priority,
  statement: {
    rateBasedStatement: {
      ...client,
      limit,
      evaluationWindowSec: window,
      scopeDownStatement: counts,
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

/** Returns under which name WAF publishes the metrics of a rule, or of all. */
const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Sampled requests would contain the Authorization header, and with it the API key.
  sampledRequestsEnabled: false,
});

const transformations = (...types: string[]): CfnWebACL.TextTransformationProperty[] =>
  types.map((type, priority) => ({ type, priority }));

const address: Limit['client'] = { aggregateKeyType: 'IP' };

/** A request without the header is nobody's. */
const key: Limit['client'] = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [{ header: { name: 'authorization', textTransformations: transformations('NONE') } }],
};

/**
 * Matches a request for a list. Its path may be encoded and may end in a slash, and begins with the
 * name of the stage, except at a domain name of the stage's own. WAF supports no group that
 * captures.
 */
const isList: Statement = {
  andStatement: {
    statements: [
      {
        regexMatchStatement: {
          regexString: `^${listInventory.method}$`,
          fieldToMatch: { method: {} },
          textTransformations: transformations('NONE'),
        },
      },
      {
        regexMatchStatement: {
          regexString: `^(?:/[^/]+)?${RegExp.escape(basePath + listInventory.path)}/?$`,
          fieldToMatch: { uriPath: {} },
          textTransformations: transformations('URL_DECODE', 'NORMALIZE_PATH'),
        },
      },
    ],
  },
};
