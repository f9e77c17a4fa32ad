import type { RemovalPolicy } from 'aws-cdk-lib';
import type { ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What API Gateway takes of all clients together: requests a second, and in one burst. */
export interface Throttling {
  rateLimit: number;
  burstLimit: number;
}

/** Requests a minute of one IP address. */
export interface FirewallLimits {
  /** Of those whose Authorization header holds no well-formed API key of the stage. */
  withoutKeyLimit: number;
  limit: number;
}

/** All that differs between the stages. */
export interface StageSettings {
  tables: {
    removalPolicy: RemovalPolicy;
    deletionProtection: boolean;
    pointInTimeRecovery: boolean;
    /** What on-demand capacity may cost at most: read and write request units a second. */
    ceiling?: { read: number; write: number };
    /** Other regions with a copy of each table. First deploy the Stage with an `env`; then add one at a time. */
    replicaRegions?: string[];
  };
  /** How traffic shifts to a new version of a function. */
  deploymentConfig: ILambdaDeploymentConfig;
  /** Each method has these limits for itself. */
  throttling: Throttling;
  /** Of listInventory, the expensive operation. */
  list: {
    /** A longer canary than the others': Lambda reports a list only when it ends, with the time at which it began. */
    deploymentConfig: ILambdaDeploymentConfig;
    throttling: Throttling;
    /** How many lists may run at once. The account must have 100 unreserved executions left. Default: no limit. */
    reservedConcurrency?: number;
  };
  logRetention: RetentionDays;
  /** What the functions log beside one line a request, which Lambda would drop at a higher level. */
  logLevel: ApplicationLogLevel.DEBUG | ApplicationLogLevel.INFO;
  /** Who is told when the state of an alarm changes. AWS asks that address to confirm. */
  alarmEmail?: string;
  /** A name of your own for the API, with a certificate of ACM in the same region. */
  customDomain?: { domainName: string; certificateArn: string };
  /** A WAF web ACL, which costs by the month and by the request. */
  firewall?: FirewallLimits;
  /** A WAF web ACL (regional) of your own, in place of `firewall`. */
  webAclArn?: string;
}
