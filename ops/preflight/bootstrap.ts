import { SSM } from '@aws-sdk/client-ssm';
import type { Check } from './deployment.ts';

/** The first version whose roles may do what `cdk rollback` needs. */
const neededVersion = 23;

/** Checks that `cdk bootstrap` has prepared the account and region. */
export const checkBootstrap: Check = async ({ accountId, client, stack }, report) => {
  const command = `npx cdk bootstrap aws://${accountId}/${client.region}`;
  const { bootstrapStackVersionSsmParameter: Name } = stack;
  const version = await parameter(new SSM(client), Name);
  if (version === undefined) {
    report('stop', `The account and region are not prepared. Run: ${command}`);
    return;
  }
  const message = `Version ${version}; ${neededVersion} is needed.`;
  if (Number(version) >= neededVersion) {
    report('ok', message);
  } else {
    report('stop', `${message} Run: ${command}`);
  }
};

const parameter = async (ssm: SSM, Name: string | undefined): Promise<string | undefined> => {
  try {
    return (await ssm.getParameter({ Name })).Parameter?.Value;
  } catch (error) {
    if ((error as Error).name === 'ParameterNotFound') {
      return undefined;
    }
    throw error;
  }
};
