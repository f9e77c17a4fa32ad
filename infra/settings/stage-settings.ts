import type { Environment } from 'aws-cdk-lib';
import type { ILambdaDeploymentConfig } from 'aws-cdk-lib/aws-codedeploy';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/**
 * How many requests API Gateway accepts from all clients together: per second, and in one burst.
 */
export interface Throttling {
  rateLimit: number;
  burstLimit: number;
}

/** How many requests per minute the firewall accepts from a client. */
interface RequestLimits {
  lists: number;
  /** Of all requests, lists too. */
  all: number;
}

/**
 * Each is at most a quarter of what API Gateway accepts (`throttling`, `list.throttling`), so that
 * no single client uses up what all share.
 */
export interface FirewallLimits {
  /** From one IP address, with any keys. */
  perAddress: RequestLimits;
  /** With one API key, from any address: a client may have many machines. */
  perKey: RequestLimits;
}

/** The settings that may differ between stages. */
export interface StageSettings {
  /**
   * The account and region of the stage. Default: those of the credentials with which it is
   * deployed.
   */
  env?: Environment;
  /**
   * Whether its stock and keys matter. If so, the tables stay when the stack goes, nobody deletes
   * either by mistake, and each table can be restored to any second of the last 35 days.
   */
  isProtected: boolean;
  /**
   * The limit of each table's on-demand capacity, and thereby of its cost: read and write request
   * units per second. Default: the account's.
   */
  ceiling?: { read: number; write: number };
  /**
   * How traffic shifts to the new versions of all functions. A canary should last 15 minutes,
   * because Lambda's metrics of a list arrive only when it ends.
   */
  deploymentConfig: ILambdaDeploymentConfig;
  /** The limits of each operation that does not stream its responses. */
  throttling: Throttling;
  /** The settings of each operation that streams, which is expensive. */
  list: {
    /** Lists can occupy `rateLimit` times a minute of executions, which all functions share. */
    throttling: Throttling;
  };
  logRetention: RetentionDays;
  /**
   * The email address that is notified when an alarm's state changes. AWS first asks for a
   * confirmation by email. Default: nobody, of which a synthesis warns if the stage is protected.
   */
  alarmEmail?: string;
  /** A domain name of your own for the API, with an ACM certificate in the same region. */
  customDomain?: { domainName: string; certificateArn: string };
  /**
   * The limits of a WAF web ACL, for which AWS charges per month and per request. Default: no web
   * ACL.
   */
  firewall?: FirewallLimits;
}
