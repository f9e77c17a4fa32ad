import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

export interface LogQueriesProps {
  stageName: string;
  accessLog: ILogGroup;
  functionLogs: ILogGroup[];
}

/** Saved queries of CloudWatch Logs Insights, in a folder of the stage. The runbook names them. */
export class LogQueries extends Construct {
  /** Names of the queries, as the console lists them. */
  readonly names: string[] = [];

  constructor(scope: Construct, id: string, { stageName, accessLog, functionLogs }: LogQueriesProps) {
    super(scope, id);
    const query = (name: string, logGroups: ILogGroup[], queryString: QueryString) => {
      const queryDefinitionName = `petstore-inventory/${stageName}/${name}`;
      new QueryDefinition(this, name, { queryDefinitionName, logGroups, queryString });
      this.names.push(queryDefinitionName);
    };
    const newestFirst = { sort: '@timestamp desc', limit: 100 };

    query(
      'server-errors',
      functionLogs,
      new QueryString({
        fields: ['@timestamp', 'level', 'operation', 'requestId', 'errorType', 'errorMessage', '@message'],
        filterStatements: ['level = "ERROR" or status >= 500'],
        ...newestFirst,
      }),
    );
    query(
      'requests-by-status',
      [accessLog],
      new QueryString({
        statsStatements: [
          'count(*) as requests, pct(latency, 50) as p50, pct(latency, 99) as p99 by operation, status',
        ],
        sort: 'requests desc',
      }),
    );
    query(
      'slow-requests',
      [accessLog],
      new QueryString({
        fields: [
          '@timestamp',
          'operation',
          'status',
          'latency',
          'authorizerLatency',
          'integrationLatency',
          'requestId',
        ],
        sort: 'latency desc',
        limit: 100,
      }),
    );
    query(
      'refused-keys',
      [accessLog],
      new QueryString({
        filterStatements: ['status = 401'],
        statsStatements: ['count(*) as refused by ip, responseType'],
        sort: 'refused desc',
      }),
    );
    query(
      'changes-of-a-pet',
      functionLogs,
      new QueryString({
        fields: ['@timestamp', 'keyId', 'petId', 'quantityFrom', 'quantityTo', 'requestId'],
        filterStatements: ['operation = "updateInventory" and status = 200', 'petId = "1"'],
        ...newestFirst,
      }),
    );
    query(
      'cold-starts',
      functionLogs,
      new QueryString({
        filterStatements: ['type = "platform.report" and ispresent(record.metrics.initDurationMs)'],
        statsStatements: ['count(*) as coldStarts, pct(record.metrics.initDurationMs, 99) as p99 by @log'],
      }),
    );
  }
}
