import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { basePath, type Operation } from '../service/operations.ts';
import type { FirewallLimits } from '../settings/stage-settings.ts';

type Statement = CfnWebACL.StatementProperty;

/** A rule that limits the requests of each client that match its statement. */
export interface FirewallRule {
  name: string;
  /** Requests a minute. */
  limit: number;
  /** How clients are told apart. */
  client: Pick<CfnWebACL.RateBasedStatementProperty, 'aggregateKeyType' | 'customKeys'>;
  /** Which requests count. Default: all. */
  counts?: Statement;
}

export interface FirewallRulesProps {
  limits: FirewallLimits;
  /** Matches an Authorization header with a well-formed key of the stage. */
  authorizationPattern: string;
  operations: readonly Pick<Operation, 'method' | 'path' | 'lists'>[];
}

/** Returns the rules in the order in which AWS evaluates them. */
export const firewallRules = ({
  limits,
  authorizationPattern,
  operations,
}: FirewallRulesProps): FirewallRule[] => {
  const hasKey = matches(authorizationPattern, { singleHeader: { Name: 'authorization' } });
  const isList = anyOf(operations.filter(({ lists }) => lists).map(isRequestFor));
  return [
    {
      name: 'RequestsWithoutKey',
      limit: limits.withoutKey,
      client: address,
      counts: { notStatement: { statement: hasKey } },
    },
    { name: 'ListRequests', limit: limits.perAddress.lists, client: address, counts: isList },
    { name: 'AllRequests', limit: limits.perAddress.all, client: address },
    {
      name: 'ListRequestsOfKey',
      limit: limits.perKey.lists,
      client: key,
      counts: allOf([hasKey, isList]),
    },
    { name: 'AllRequestsOfKey', limit: limits.perKey.all, client: key, counts: hasKey },
  ];
};

const transformations = (...types: string[]): CfnWebACL.TextTransformationProperty[] =>
  types.map((type, priority) => ({ type, priority }));

const address: FirewallRule['client'] = { aggregateKeyType: 'IP' };

/**
 * The spellings of a key that the authorizer accepts are one client: the scheme in any case, and
 * with any number of spaces. Two keys that differ only in case would be one client too, but there
 * are none: a well-formed key has lower-case digits, and the one name of the stage.
 */
const key: FirewallRule['client'] = {
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

const matches = (
  regexString: string,
  fieldToMatch: CfnWebACL.FieldToMatchProperty,
  textTransformations = transformations('NONE'),
): Statement => ({ regexMatchStatement: { regexString, fieldToMatch, textTransformations } });

const allOf = (statements: Statement[]): Statement => ({ andStatement: { statements } });

/** WAF accepts no `or` of a single statement. */
const anyOf = (statements: Statement[]): Statement => {
  const [first] = statements;
  const isOnly = first !== undefined && statements.length === 1;
  return isOnly ? first : { orStatement: { statements } };
};

/**
 * Matches the requests for an operation. Their path may be encoded and may end in a slash, and
 * begins with the name of the stage, except at a domain name of the stage's own.
 */
const isRequestFor = ({ method, path }: Pick<Operation, 'method' | 'path'>): Statement => {
  const pathPattern = basePath + path.replaceAll(/\{\w+\}/g, '[^/]+');
  const normal = transformations('URL_DECODE', 'NORMALIZE_PATH');
  return allOf([
    matches(`^${method}$`, { method: {} }),
    matches(`^(/[^/]+)?${pathPattern}/?$`, { uriPath: {} }, normal),
  ]);
};
