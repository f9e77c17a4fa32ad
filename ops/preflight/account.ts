import { AssumeRoleCommand, GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { SynthesizedStack } from './assembly.ts';
import { type Finding, reasonOf } from './finding.ts';

interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

/** The account and region that a deployment would go to, and how to read them. */
export interface Target {
  account: string;
  /** For the clients of every service. Without credentials, the operator's own are used. */
  client: { region: string; credentials?: Credentials };
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

/** Finds where a deployment would go. Without a target nothing else can be checked. */
export const findTarget = async (stack: SynthesizedStack): Promise<{ findings: Finding[]; target?: Target }> => {
  // The CDK reads either.
  process.env.AWS_REGION ??= process.env.AWS_DEFAULT_REGION;
  const sts = new STSClient();
  let region: string;
  try {
    region = await sts.config.region();
  } catch {
    return { findings: [stop('region', 'No region is set. Set AWS_REGION, or the region of the profile.')] };
  }
  try {
    const { Account: account = '', Arn: arn = '' } = await sts.send(new GetCallerIdentityCommand());
    const findings: Finding[] = [{ check: 'credentials', outcome: 'ok', message: arn }];
    if ((stack.account ?? account) !== account || (stack.region ?? region) !== region) {
      const tied = [stack.account, stack.region].filter((name) => name !== undefined).join(' ');
      const message = `The stage is tied to ${tied}, and these credentials are for ${account} ${region}.`;
      return { findings: [...findings, stop('account and region', message)] };
    }
    findings.push({ check: 'account and region', outcome: 'ok', message: `${account} ${region}` });
    const roleArn = stack.lookupRoleArn
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the CDK's placeholders
      .replaceAll('${AWS::Partition}', arn.split(':')[1] ?? 'aws')
      .replaceAll('${AWS::AccountId}', account)
      .replaceAll('${AWS::Region}', region);
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the CDK's placeholders
    // The bootstrap stack has this role for reading, so that whoever deploys needs no other permission.
    const credentials = await lookupCredentials(sts, roleArn);
    return { findings, target: { account, client: { region, ...(credentials && { credentials }) } } };
  } catch (error) {
    return { findings: [stop('credentials', `AWS takes no credentials from here. ${reasonOf(error)}`)] };
  }
};
