import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type CloudFormationStackArtifact, EnvironmentPlaceholders } from 'aws-cdk-lib/cx-api';
import { clientSettings } from '../stage/client-settings.ts';
import { type Finding, reasonOf } from './finding.ts';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/** The account and region that a deployment would go to, and how to read them. */
export interface Account {
  accountId: string;
  /** For the clients of every service. Without credentials, the operator's own are used. */
  client: typeof clientSettings & { region: string; credentials?: Credentials };
}

const stop = (check: string, message: string): Finding => ({ check, outcome: 'stop', message });

const lookupCredentials = async (sts: STSClient, roleArn: string): Promise<Credentials | undefined> => {
  try {
    const command = new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'petstore-preflight' });
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = (await sts.send(command)).Credentials ?? {};
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  } catch {
    return undefined;
  }
};

/** Finds where a deployment would go. Without an account nothing else can be checked. */
export const findAccount = async ({
  environment,
  lookupRole,
}: CloudFormationStackArtifact): Promise<{ findings: Finding[]; account?: Account }> => {
  // The CDK reads either variable, the SDK the first; without both, it reads the profile.
  const given = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  const sts = new STSClient({ ...clientSettings, ...(given && { region: given }) });
  let region: string;
  try {
    region = await sts.config.region();
  } catch {
    return { findings: [stop('region', 'No region is set. Set AWS_REGION, or the region of the profile.')] };
  }
  try {
    const { Account: accountId = '', Arn: arn = '' } = await sts.send(new GetCallerIdentityCommand());
    const findings: Finding[] = [{ check: 'credentials', outcome: 'ok', message: arn }];
    // What a stage is not tied to has a name such as unknown-region.
    const tied = [environment.account, environment.region].filter((name) => !name.startsWith('unknown-'));
    if (!tied.every((name) => name === accountId || name === region)) {
      const message = `The stage is tied to ${tied.join(' ')}, and these credentials are for ${accountId} ${region}.`;
      return { findings: [...findings, stop('account and region', message)] };
    }
    findings.push({ check: 'account and region', outcome: 'ok', message: `${accountId} ${region}` });
    // The bootstrap stack has this role for reading, so that whoever deploys needs no other permission.
    const place = { accountId, region, partition: arn.split(':')[1] ?? 'aws' };
    const credentials = await lookupCredentials(sts, EnvironmentPlaceholders.replace(lookupRole?.arn, place));
    const client = { ...clientSettings, region, ...(credentials && { credentials }) };
    return { findings, account: { accountId, client } };
  } catch (error) {
    return { findings: [stop('credentials', `AWS does not accept the credentials. ${reasonOf(error)}`)] };
  }
};
