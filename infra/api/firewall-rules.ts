import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { basePath, listInventory } from '../service/operations.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';

type Rule = CfnWebACL.RuleProperty;
type Statement = CfnWebACL.StatementProperty;

/** Seconds over which WAF counts the requests of a client. */
const window = 60;

const forbidden = { responseCode: 403, customResponseBodyKey: 'Forbidden' };
const tooManyRequests = {
  responseCode: 429,
  customResponseBodyKey: 'TooManyRequests',
  responseHeaders: [{ name: 'Retry-After', value: String(window) }],
};

/** The rule that counts what may be nobody's: requests without a key of the stage. */
export const withoutKeyRule = 'RequestsWithoutKey';
/** The rule that blocks requests with more headers than WAF inspects. */
export const headersRule = 'UninspectedHeaders';

interface RulesProps {
  limits: FirewallLimits;
  /** Matches an Authorization header with a well-formed key of the stage. */
  authorizationPattern: string;
}

/** Returns the rules in the order in which AWS evaluates them. */
export const firewallRules = ({ limits, authorizationPattern }: RulesProps): Rule[] => {
  const hasKey = matches({
    pattern: authorizationPattern,
    field: { singleHeader: { Name: 'authorization' } },
  });
  const hasNoKey: Statement = { notStatement: { statement: hasKey } };
  const { withoutKey, perAddress, perKey } = limits;
  return [
    blocking(headersRule, hasUninspectedHeaders, forbidden),
    limiting({ name: withoutKeyRule, limit: withoutKey, client: address, counts: hasNoKey }),
    limiting({ name: 'ListRequests', limit: perAddress.lists, client: address, counts: isList }),
    limiting({ name: 'AllRequests', limit: perAddress.all, client: address }),
    limiting({
      name: 'ListRequestsOfKey',
      limit: perKey.lists,
      client: key,
      counts: allOf([hasKey, isList]),
    }),
    limiting({ name: 'AllRequestsOfKey', limit: perKey.all, client: key, counts: hasKey }),
  ].map((rule, priority) => ({ ...rule, priority }));
};

const blocking = (
  name: string,
  statement: Statement,
  customResponse: CfnWebACL.CustomResponseProperty,
): Omit<Rule, 'priority'> => ({
  name,
  statement,
  action: { block: { customResponse } },
  visibilityConfig: visibilityConfig(name),
});

/** A rule that limits the requests of each client that match its statement. */
interface Limit {
  name: string;
  /** Requests a minute. */
  limit: number;
  /** How clients are told apart. */
  client: Pick<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType' | 'customKeys'>;
  /** Which requests count. Default: all. */
  counts?: Statement;
}

const limiting = ({ name, limit, client, counts }: Limit): Omit<Rule, 'priority'> => {
  const rateBasedStatement = {
    ...client,
    limit,
    evaluationWindowSec: window,
    scopeDownStatement: counts,
  };
  return blocking(name, { rateBasedStatement }, tooManyRequests);
};

/** Returns under which name WAF publishes the metrics of a rule, or of all. */
export const visibilityConfig = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Sampled requests would contain the Authorization header, and with it the API key.
  sampledRequestsEnabled: false,
});

const transformations = (...types: string[]): CfnWebACL.TextTransformationProperty[] =>
  types.map((type, priority) => ({ type, priority }));

const untransformed = transformations('NONE');

/** The most bytes of headers that WAF inspects. */
const inspectedBytes = 8_192;

/**
 * Matches a request with more than WAF can inspect: more than 200 headers, or larger ones. Its key
 * could stand among those that WAF does not see, and so escape the limits by key. No header that
 * WAF does see is so large that it matches.
 */
const hasUninspectedHeaders: Statement = {
  sizeConstraintStatement: {
    fieldToMatch: {
      headers: { matchPattern: { all: {} }, matchScope: 'ALL', oversizeHandling: 'MATCH' },
    },
    comparisonOperator: 'GT',
    size: inspectedBytes,
    textTransformations: untransformed,
  },
};

const address: Limit['client'] = { aggregateKeyType: 'IP' };

/**
 * The spellings of a key that the authorizer accepts are one client: the scheme in any case, and
 * with any number of spaces. Two keys that differ only in case would be one client too, but there
 * are none: a well-formed key has lower-case digits, and the one name of the stage.
 */
const key: Limit['client'] = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [
    {
      header: {
        name: 'authorization',
        textTransformations: transformations('COMPRESS_WHITE_SPACE', 'LOWERCASE'),
      },
    },
  ],
};

interface MatchProps {
  /** WAF supports no group that captures. */
  pattern: string;
  field: CfnWebACL.FieldToMatchProperty;
  /** How the field is transformed before. Default: not at all. */
  after?: CfnWebACL.TextTransformationProperty[];
}

const matches = ({ pattern, field, after = untransformed }: MatchProps): Statement => ({
  regexMatchStatement: {
    regexString: pattern,
    fieldToMatch: field,
    textTransformations: after,
  },
});

const allOf = (statements: Statement[]): Statement => ({ andStatement: { statements } });

/**
 * Matches a request for a list. Its path may be encoded and may end in a slash, and begins with the
 * name of the stage, except at a domain name of the stage's own.
 */
const isList = allOf([
  matches({ pattern: `^${listInventory.method}$`, field: { method: {} } }),
  matches({
    pattern: `^(?:/[^/]+)?${RegExp.escape(basePath + listInventory.path)}/?$`,
    field: { uriPath: {} },
    after: transformations('URL_DECODE', 'NORMALIZE_PATH'),
  }),
]);
