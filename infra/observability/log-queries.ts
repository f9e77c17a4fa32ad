import type { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { operations, updateInventory } from '../service/operations.ts';
import type { StageParts } from './stage-parts.ts';

/** A query of Logs Insights that is saved under a name. */
interface SavedQuery {
  name: string;
  query: string;
  /** The logs that it reads: the functions', the API's access log, or both. */
  log: 'functions' | 'access' | 'all';
}

/** The query whose result an operator reads first when something fails. */
export const newestFailures = `\
fields @timestamp, level, operation, keyId, requestId, status, errorType, errorMessage, @message
| filter level = "ERROR" or status >= 500
  or (type = "platform.report" and record.status != "success")
| sort @timestamp desc
| limit 100`;

/** The condition that a line is that of an operation which writes. */
const isChange = operations
  .filter(({ access }) => access === 'write')
  .map(({ operationId }) => `operation = "${operationId}"`)
  .join(' or ');

const queries: SavedQuery[] = [
  { name: 'server-errors', log: 'functions', query: newestFailures },
  {
    // A 5xx may have been applied.
    name: 'changes-of-a-pet',
    log: 'functions',
    query: `\
fields @timestamp, keyId, petId, quantityFrom, quantityTo, status, code, repeated, retries, ifMatch,
  idempotencyKeyHash, requestId
| filter ${isChange}
| filter petId = "1" and (status = 200 or status >= 500)
| sort @timestamp desc
| limit 100`,
  },
  {
    name: 'slow-requests',
    log: 'access',
    query: `\
fields @timestamp, ip, keyId, method, resourcePath, status, latency, authorizerLatency,
  integrationLatency, requestId, extendedRequestId
| sort latency desc
| limit 100`,
  },
  {
    // The line of a 429 has no keyId: the firewall and API Gateway send it before the key is
    // checked. What the same address was allowed has one. That of a refused key is "unknown", which
    // would be the last of them.
    name: 'requests-by-client',
    log: 'access',
    query: `\
fields strcontains(status, "401") as is401, strcontains(status, "429") as is429,
  strcontains(wafResponseCode, "WAF_BLOCK") as isBlocked,
  strcontains(substr(status, 0, 1), "5") as is5xx,
  replace(keyId, "unknown", "-") as acceptedKeyId
| stats count(*) as requests, sum(is5xx) as failed, sum(is401) as rejected,
  sum(is429) as throttled, sum(isBlocked) as byFirewall, max(latency) as slowest,
  sortsLast(acceptedKeyId) as lastKeyId by ip
| sort requests desc`,
  },
  {
    name: 'one-request',
    log: 'all',
    query: `\
fields @timestamp, ip, keyId, method, path, status, latency, code, errorMessage, @message
| filter requestId = "ID"
| sort @timestamp`,
  },
  {
    name: 'use-of-keys',
    log: 'access',
    query: `\
filter keyId != "-"
| fields substr(userAgent, 0, 40) as client, strcontains(method, "${updateInventory.method}") as isUpdate
| stats count(*) as requests, sum(isUpdate) as updates, max(@timestamp) as lastRequest
  by keyId, client
| sort lastRequest desc`,
  },
];

/**
 * Saves the queries in a folder of the stage, and returns their full names. The runbook refers to
 * these queries.
 */
export const addLogQueries = (
  stack: Stack,
  { stageName, api, functions }: StageParts,
): string[] => {
  const scope = new Construct(stack, 'LogQueries');
  const ofFunctions = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
  const ofAccess = [api.accessLog.logGroupName];
  const logGroupNames = {
    functions: ofFunctions,
    access: ofAccess,
    all: [...ofAccess, ...ofFunctions],
  };
  return queries.map(({ name: shortName, query, log }) => {
    const name = `petstore-inventory/${stageName}/${shortName}`;
    new CfnQueryDefinition(scope, shortName, {
      name,
      queryString: query,
      logGroupNames: logGroupNames[log],
    });
    return name;
  });
};
