import type { Duration, Environment, RemovalPolicy } from 'aws-cdk-lib';
import type { ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { TableName } from '../service/operations.ts';

/**
 * How many requests API Gateway accepts from all clients together: per second, and in one burst.
 */
export interface Throttling {
  rateLimit: number;
  burstLimit: number;
}

/**
 * How many requests per minute the firewall accepts. At most a quarter of what API Gateway accepts
 * (`throttling`, `list.throttling`), so that no single client uses up what all share.
 */
export interface FirewallLimits {
  /**
   * From one IP address: requests whose Authorization header holds no well-formed API key of the
   * stage.
   */
  withoutKey: number;
  /** From one IP address, with any keys. */
  perAddress: RequestLimits;
  /** With one API key, from any address. */
  perKey: RequestLimits;
}

interface RequestLimits {
  lists: number;
  /** Of all requests, lists too. */
  all: number;
}

/** The settings that may differ between stages. */
export interface StageSettings {
  /**
   * The account and region of the stage. Default: those of the credentials with which it is
   * deployed.
   */
  env?: Environment;
  tables: {
    removalPolicy: RemovalPolicy;
    deletionProtection: boolean;
    pointInTimeRecovery: boolean;
    /**
     * The limit of on-demand capacity, and thereby of its cost: read and write request units per
     * second.
     */
    ceiling?: { read: number; write: number };
    /**
     * Other regions with a copy of each table. First deploy the stage with an `env`; then add one
     * region at a time.
     */
    replicaRegions?: string[];
    /**
     * The read and write request units per second that a table serves without a warm-up, for
     * example before a large import. AWS charges once for what exceeds a table's own value, and
     * cannot lower it again. Default: what the table has.
     */
    warmThroughput?: Partial<Record<TableName, { read: number; write: number }>>;
  };
  /**
   * Copies each table once a day, with AWS Backup, to a vault in another region or account, which
   * nothing else copies tables to. How long the copies are kept, in whole days. Default: no copies.
   */
  copies?: { vaultArn: string; keptFor: Duration };
  /**
   * How traffic shifts to the new versions of all functions. A canary should last 15 minutes,
   * because Lambda's metrics of a list arrive only when it ends.
   */
  deploymentConfig: ILambdaDeploymentConfig;
  /** The limits of each operation that does not stream its responses. */
  throttling: Throttling;
  /** The settings of each operation that streams, which is expensive. */
  list: {
    throttling: Throttling;
    /**
     * How long a list may take, from 30 s to 300 s. A list that is not read, or is read slowly,
     * occupies an execution for so long: `rateLimit` times this is how many executions lists can
     * occupy. Default: 60 s.
     */
    timeout?: Duration;
    /**
     * How many lists may run at a time. The account must have 100 unreserved executions left.
     * Default: no limit.
     */
    reservedConcurrency?: number;
  };
  logRetention: RetentionDays;
  /**
   * The lowest level that Lambda logs. Above INFO, it would drop the line that a function writes
   * for each request.
   */
  logLevel: ApplicationLogLevel.DEBUG | ApplicationLogLevel.INFO;
  /**
   * The email address that is notified when an alarm's state changes. AWS first asks for a
   * confirmation by email. Default: nobody, of which a synthesis warns if the tables are protected.
   */
  alarmEmail?: string;
  /** A domain name of your own for the API, with an ACM certificate in the same region. */
  customDomain?: { domainName: string; certificateArn: string };
  /**
   * The limits of a WAF web ACL, for which AWS charges per month and per request. Default: no web
   * ACL.
   */
  firewall?: FirewallLimits;
  /** The ARN of a regional WAF web ACL of your own, which replaces `firewall`. */
  webAclArn?: string;
}
