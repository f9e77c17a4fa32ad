import type { RemovalPolicy } from 'aws-cdk-lib';
import type { ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { ApplicationLogLevel } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** All that differs between the stages. */
export interface StageSettings {
  tables: {
    removalPolicy: RemovalPolicy;
    deletionProtection: boolean;
    pointInTimeRecovery: boolean;
    /** What on-demand capacity may cost at most: read and write request units a second. */
    ceiling?: { read: number; write: number };
    /** Regions that hold a copy of each table, besides the one deployed to. The Stage then needs an `env` with a region. */
    replicaRegions?: string[];
  };
  /** How traffic shifts to a new version of a function. */
  deploymentConfig: ILambdaDeploymentConfig;
  /** What the stage takes of all clients together: requests a second, and at once. */
  throttling: { rateLimit: number; burstLimit: number };
  logRetention: RetentionDays;
  /** What the functions log beside one line a request. */
  logLevel: ApplicationLogLevel;
  /** Who is told when an alarm rings. AWS asks that address to confirm. */
  alarmEmail?: string;
  /** A name of your own for the API, with a certificate of ACM in the same region. */
  customDomain?: { domainName: string; certificateArn: string };
  /** A WAF web ACL (regional) in front of the API. */
  webAclArn?: string;
}
