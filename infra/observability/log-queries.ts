import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** What an operator sees first of what failed. */
export const newestFailures = [
  'fields @timestamp, level, operation, requestId, extendedRequestId, status, errorType, errorMessage, @message',
  'filter level = "ERROR" or status >= 500',
  'sort @timestamp desc',
];

/** Queries by name, on the logs of the functions or on the access log. */
const queries: Record<string, { id?: string; log: 'functions' | 'access'; lines: string[] }> = {
  'server-errors': { log: 'functions', lines: [...newestFailures, 'limit 100'] },
  'requests-by-status': {
    log: 'access',
    lines: [
      'stats count(*) as requests, pct(latency, 50) as p50, pct(latency, 99) as p99 by method, resourcePath, status',
      'sort requests desc',
    ],
  },
  'slow-requests': {
    log: 'access',
    lines: [
      'fields @timestamp, method, resourcePath, status, latency, authorizerLatency, integrationLatency, requestId',
      'sort latency desc',
      'limit 100',
    ],
  },
  'rejected-keys': {
    // Its logical id comes from an older name.
    id: 'refused-keys',
    log: 'access',
    lines: ['filter status = 401', 'stats count(*) as rejected by ip, responseType', 'sort rejected desc'],
  },
  'throttled-requests': {
    log: 'access',
    lines: [
      'filter status = 429',
      'stats count(*) as throttled by ip, method, resourcePath, responseType, wafResponseCode',
      'sort throttled desc',
    ],
  },
  'changes-of-a-pet': {
    log: 'functions',
    lines: [
      'fields @timestamp, keyId, petId, quantityFrom, quantityTo, requestId',
      'filter operation = "updateInventory" and status = 200',
      'filter petId = "1"',
      'sort @timestamp desc',
      'limit 100',
    ],
  },
  'cold-starts': {
    log: 'functions',
    lines: [
      'filter type = "platform.report" and ispresent(record.metrics.initDurationMs)',
      'stats count(*) as coldStarts, pct(record.metrics.initDurationMs, 99) as p99 by @log',
    ],
  },
};

export interface LogQueriesProps {
  stageName: string;
  accessLog: ILogGroup;
  functionLogs: ILogGroup[];
}

/** Saved queries of CloudWatch Logs Insights, in a folder of the stage. The runbook names them. */
export class LogQueries extends Construct {
  /** Names of the queries, as the console lists them. */
  readonly names: string[] = [];

  constructor(scope: Construct, constructId: string, { stageName, accessLog, functionLogs }: LogQueriesProps) {
    super(scope, constructId);
    for (const [queryName, { id = queryName, log, lines }] of Object.entries(queries)) {
      const name = `petstore-inventory/${stageName}/${queryName}`;
      new CfnQueryDefinition(new Construct(this, id), 'Resource', {
        name,
        queryString: lines.join('\n| '),
        logGroupNames: (log === 'access' ? [accessLog] : functionLogs).map(({ logGroupName }) => logGroupName),
      });
      this.names.push(name);
    }
  }
}
