import { findAccount } from './account.ts';
import { describeStack, resourcesOf } from './deployed-stack.ts';
import { readStack } from './run-checks.ts';

/** Whether a key of a deployed stage is accepted, and whether there is stock; true if that cannot be told. */
const tryKey = async (baseUrl: string, apiKey: string): Promise<{ isAccepted: boolean; hasStock: boolean }> => {
  try {
    const request = { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(30_000) };
    const response = await fetch(`${baseUrl}/inventory`, request);
    const reader = response.body?.getReader();
    const { value = [] } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return { isAccepted: response.status !== 401, hasStock: Buffer.from(value).toString() !== '[]' };
  } catch {
    return { isAccepted: true, hasStock: true };
  }
};

/**
 * The commands that must come before a release, because the checks after a deployment need a key and, in staging,
 * stock: those of a first deployment, or what is still missing of them.
 */
export const commandsBefore = async (
  stageName: string,
  assembly: string,
  { keyName, apiKey = '', app }: { keyName: string; apiKey: string | undefined; app: string },
): Promise<string[]> => {
  const deploy = `npx cdk deploy --no-rollback '${stageName}/*'${app}`;
  const createKey = `export ${keyName}=$(npx petstore keys create --name release --stage ${stageName})`;
  const addStock =
    stageName === 'staging' ? [`npx petstore inventory import ops/sample-inventory.csv --stage ${stageName}`] : [];

  const stack = readStack(assembly, stageName);
  const { account } = await findAccount(stack);
  // What cannot be read, preflight reports.
  const deployed = account && (await describeStack(account, stack.stackName).catch(() => null));
  if (!account || deployed === null) {
    return apiKey ? [] : [createKey];
  }
  if (!deployed || deployed.StackStatus === 'CREATE_FAILED') {
    return [deploy, createKey, ...addStock];
  }
  const baseUrl = deployed.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '';
  const { isAccepted, hasStock } = await tryKey(baseUrl, apiKey);
  return [...(apiKey && isAccepted ? [] : [createKey]), ...(hasStock ? [] : addStock)];
};

/** Over how many minutes a deployment shifts the traffic of a stage to the new version. */
export const shiftMinutes = (stageName: string, assembly: string): number => {
  const groups = resourcesOf(readStack(assembly, stageName).template, 'AWS::CodeDeploy::DeploymentGroup');
  const minutes = groups.map(([, { DeploymentConfigName }]) => {
    const [, percent, every] = /(\d+)Percent(?:Every)?(\d+)Minutes?$/.exec(String(DeploymentConfigName)) ?? [];
    const steps = String(DeploymentConfigName).includes('Linear') ? 100 / Number(percent) - 1 : 1;
    return every === undefined ? 0 : Number(every) * steps;
  });
  return Math.max(0, ...minutes);
};
