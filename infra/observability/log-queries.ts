import type { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Observed } from './alarms.ts';

/** The query whose result an operator reads first when something fails. */
export const newestFailures = `fields @timestamp, level, operation, requestId, status, errorType, errorMessage, @message
| filter level = "ERROR" or status >= 500 or (type = "platform.report" and record.status != "success")
| sort @timestamp desc
| limit 100`;

const onFunctionLogs = {
  'server-errors': newestFailures,
  'changes-of-a-pet': `fields @timestamp, keyId, petId, quantityFrom, quantityTo, requestId
| filter operation = "updateInventory" and status = 200
| filter petId = "1"
| sort @timestamp desc
| limit 100`,
  'cold-starts': `filter type = "platform.report" and ispresent(record.metrics.initDurationMs)
| stats count(*) as coldStarts, pct(record.metrics.initDurationMs, 99) as p99 by @log`,
};

const onAccessLog = {
  'requests-by-status': `stats count(*) as requests, pct(latency, 50) as p50, pct(latency, 99) as p99
  by method, resourcePath, status
| sort requests desc`,
  'slow-requests': `fields @timestamp, method, resourcePath, status, latency, authorizerLatency, integrationLatency,
  requestId, extendedRequestId
| sort latency desc
| limit 100`,
  'rejected-keys': `filter status = 401
| stats count(*) as rejected by ip, responseType
| sort rejected desc`,
  'throttled-requests': `filter status = 429
| stats count(*) as throttled by ip, keyId, method, resourcePath, responseType, wafResponseCode
| sort throttled desc`,
};

/**
 * Saves the queries in a folder of the stage, and returns their full names. The runbook refers to
 * these queries.
 */
export const addLogQueries = (stack: Stack, { stageName, api, functions }: Observed): string[] => {
  const scope = new Construct(stack, 'LogQueries');
  const ofFunctions = Object.values(functions).map(({ logGroup }) => logGroup.logGroupName);
  return Object.entries({ ...onFunctionLogs, ...onAccessLog }).map(([shortName, queryString]) => {
    const name = `petstore-inventory/${stageName}/${shortName}`;
    const logGroupNames = shortName in onAccessLog ? [api.accessLog.logGroupName] : ofFunctions;
    // A renamed query keeps the logical id of its first name, so that CloudFormation does not
    // replace it.
    const parent = new Construct(scope, shortName.replace('rejected-keys', 'refused-keys'));
    new CfnQueryDefinition(parent, 'Resource', { name, queryString, logGroupNames });
    return name;
  });
};
