import { getDefaultRoleAssumer, STS } from '@aws-sdk/client-sts';
import { type CloudFormationStackArtifact, EnvironmentPlaceholders } from 'aws-cdk-lib/cx-api';
import { clientSettings } from '../stage/client-settings.ts';
import { type Report, reasonOf } from './finding.ts';

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

interface Target {
  stageName: string;
  stack: CloudFormationStackArtifact;
  report: Report;
}

/**
 * Finds the account and region of a deployment. Without an account, nothing else can be checked.
 */
export const findAccount = async ({ stageName, stack, report }: Target) => {
  const sts = stsInRegion();
  const region = await sts.config.region().catch(() => '');
  if (region === '') {
    report('stop', 'No region is set. Set AWS_REGION, or the region of the profile.', 'region');
    return undefined;
  }
  const caller = await findCaller(sts, report);
  if (!caller) {
    return undefined;
  }
  report('ok', caller.arn, 'credentials');
  const { accountId } = caller;
  if (!checkEnvironment({ stageName, stack, report }, { accountId, region })) {
    return undefined;
  }
  const credentials = await lookupCredentials(sts, stack, { ...caller, region });
  // Without the role's credentials, a client uses the operator's own.
  const client = { ...clientSettings, region, ...(credentials && { credentials }) };
  return { accountId, client };
};

/**
 * Returns a client of STS. The CDK reads the region from either variable, but the SDK only from the
 * first. If neither is set, the SDK reads the profile.
 */
const stsInRegion = (): STS => {
  const region = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  return new STS({ ...clientSettings, ...(region && { region }) });
};

interface Caller {
  accountId: string;
  arn: string;
}

const findCaller = async (sts: STS, report: Report): Promise<Caller | undefined> => {
  try {
    const { Account: accountId = '', Arn: arn = '' } = await sts.getCallerIdentity();
    return { accountId, arn };
  } catch (error) {
    const message = `AWS does not accept the credentials. ${reasonOf(error)}`;
    report('stop', message, 'credentials');
    return undefined;
  }
};

interface Environment {
  accountId: string;
  region: string;
}

/** Compares where the stage belongs with where it would be deployed. Returns false for a stop. */
const checkEnvironment = (
  { stageName, stack, report }: Target,
  { accountId, region }: Environment,
): boolean => {
  const check = 'account and region';
  const account = known(stack.environment.account);
  const tiedRegion = known(stack.environment.region);
  const isElsewhere =
    (account !== undefined && account !== accountId) ||
    (tiedRegion !== undefined && tiedRegion !== region);
  if (isElsewhere) {
    const tiedTo = [account, tiedRegion].filter(Boolean).join(' ');
    report(
      'stop',
      `The stage is tied to ${tiedTo}, but these credentials are for ${accountId} ${region}. ` +
        'Set AWS_PROFILE or AWS_REGION.',
      check,
    );
    return false;
  }
  const isTied = account !== undefined && tiedRegion !== undefined;
  if (stageName === 'prod' && !isTied) {
    const env = `env: { account: '${accountId}', region: '${region}' }`;
    report(
      'warning',
      `${accountId} ${region}. Nothing ties prod to these, so a wrong profile would deploy it ` +
        `elsewhere. In infra/settings/stages.ts, give it ${env}`,
      check,
    );
  } else {
    report('ok', `${accountId} ${region}`, check);
  }
  return true;
};

/** An account or region to which a stage is not tied has a name such as unknown-region. */
const known = (name: string): string | undefined =>
  name.startsWith('unknown-') ? undefined : name;

/**
 * Returns the credentials of the role for reading that the bootstrap has made, so that those who
 * deploy need no other permission. Returns undefined if the operator may not use it.
 */
const lookupCredentials = async (
  sts: STS,
  { lookupRole }: CloudFormationStackArtifact,
  { accountId, arn, region }: Caller & Environment,
) => {
  const partition = arn.split(':')[1] ?? 'aws';
  const environment = { accountId, region, partition };
  const RoleArn = EnvironmentPlaceholders.replace(lookupRole?.arn, environment);
  const assumeRole = getDefaultRoleAssumer({ ...clientSettings, region });
  const role = { RoleArn, RoleSessionName: 'petstore-preflight' };
  return assumeRole(await sts.config.credentials(), role).catch(() => undefined);
};
