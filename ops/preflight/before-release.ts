import { findAccount } from './account.ts';
import { deployedStack, resourcesOf, synthesizedStack } from './deployment.ts';

/** Whether a stage rejects a key, and whether it has no stock; neither if that cannot be told. */
const tryKey = async (baseUrl: string, apiKey: string): Promise<{ isRejected?: boolean; isEmpty?: boolean }> => {
  try {
    const request = { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(30_000) };
    const response = await fetch(`${baseUrl}/inventory`, request);
    const reader = response.body?.getReader();
    const { value = [] } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return { isRejected: response.status === 401, isEmpty: Buffer.from(value).toString() === '[]' };
  } catch {
    return {};
  }
};

/**
 * The commands that must come before a release, because the checks after a deployment need a key and, in staging,
 * stock: those of a first deployment, or what is still missing of them.
 * @param app the option that names the assembly, as the operator gave it
 */
export const commandsBefore = async (
  stageName: string,
  assembly: string,
  apiKey: string | undefined,
  app: string,
): Promise<string[]> => {
  const stack = synthesizedStack(assembly, stageName);
  // What is wrong with the account, or cannot be read, preflight reports.
  const account = await findAccount(stack, () => undefined);
  const deployed = account && (await deployedStack(account, stack.stackName).catch(() => null));
  const isFirst = account && (deployed === undefined || deployed?.status === 'CREATE_FAILED');
  const stage = deployed && !isFirst ? await tryKey(deployed.baseUrl, apiKey ?? '') : {};
  const { isRejected = isFirst, isEmpty = isFirst } = stage;

  const deploy = `npx cdk deploy --no-rollback '${stageName}/*'${app}`;
  const createKey = `export PETSTORE_${stageName.toUpperCase()}_API_KEY=$(npx petstore keys create --name release --stage ${stageName})`;
  const addStock = `npx petstore inventory import ops/sample-inventory.csv --stage ${stageName}`;
  return [
    ...(isFirst ? [deploy] : []),
    ...(!apiKey || isRejected ? [createKey] : []),
    ...(isEmpty && stageName === 'staging' ? [addStock] : []),
  ];
};

/** Over how many minutes a deployment shifts the traffic of a stage to the new version. */
export const shiftMinutes = (stageName: string, assembly: string): number => {
  const groups = resourcesOf(synthesizedStack(assembly, stageName).template, 'AWS::CodeDeploy::DeploymentGroup');
  const minutes = groups.map(([, { DeploymentConfigName: name }]) => {
    const [, kind, percent, interval] = /(Canary|Linear)(\d+)Percent(?:Every)?(\d+)Minutes?$/.exec(`${name}`) ?? [];
    const intervals = kind === 'Linear' ? 100 / Number(percent) - 1 : 1;
    return intervals * Number(interval ?? 0);
  });
  return Math.max(0, ...minutes);
};
