import { getDefaultRoleAssumer, STS } from '@aws-sdk/client-sts';
import { type CloudFormationStackArtifact, EnvironmentPlaceholders } from 'aws-cdk-lib/cx-api';
import { clientSettings } from '../stage/client-settings.ts';
import { type Report, reasonOf } from './finding.ts';

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/**
 * Finds the account and region of a deployment. Without an account, nothing else can be checked.
 */
export const findAccount = async (
  { environment, lookupRole }: CloudFormationStackArtifact,
  report: Report,
) => {
  // The CDK reads either variable, but the SDK only the first. If neither is set, the SDK reads the
  // profile.
  const given = process.env.AWS_REGION || process.env.AWS_DEFAULT_REGION;
  const sts = new STS({ ...clientSettings, ...(given && { region: given }) });
  const region = await sts.config.region().catch(() => '');
  if (region === '') {
    return report(
      'stop',
      'No region is set. Set AWS_REGION, or the region of the profile.',
      'region',
    );
  }
  const caller = await sts
    .getCallerIdentity()
    .catch((error) =>
      report('stop', `AWS does not accept the credentials. ${reasonOf(error)}`, 'credentials'),
    );
  if (!caller) {
    return undefined;
  }
  const { Account: accountId = '', Arn: arn = '' } = caller;
  report('ok', arn, 'credentials');
  const place = `${accountId} ${region}`;
  // An account or region to which the stage is not tied has a name such as unknown-region.
  const tied = [environment.account, environment.region].filter(
    (name) => !name.startsWith('unknown-'),
  );
  if (!tied.every((name) => place.split(' ').includes(name))) {
    const message = `The stage is tied to ${tied.join(' ')}, but these credentials are for ${place}. Set AWS_PROFILE or AWS_REGION.`;
    return report('stop', message, 'account and region');
  }
  report('ok', place, 'account and region');
  // The bootstrap stack has this role for reading, so that those who deploy need no other
  // permission.
  const partition = arn.split(':')[1] ?? 'aws';
  const RoleArn = EnvironmentPlaceholders.replace(lookupRole?.arn, {
    accountId,
    region,
    partition,
  });
  const assumeRole = getDefaultRoleAssumer({ ...clientSettings, region });
  const role = { RoleArn, RoleSessionName: 'petstore-preflight' };
  // Without the role's credentials, a client uses the operator's own.
  const credentials = await assumeRole(await sts.config.credentials(), role).catch(() => undefined);
  return { accountId, client: { ...clientSettings, region, ...(credentials && { credentials }) } };
};
