import { findAccount } from './account.ts';
import { describeStack } from './deployed-stack.ts';
import { readStack } from './run-checks.ts';

/** Whether a key of a deployed stage is accepted, and whether there is stock; true if that cannot be told. */
const tryKey = async (baseUrl: string, apiKey: string): Promise<{ isAccepted: boolean; hasStock: boolean }> => {
  try {
    const request = { headers: { Authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(30_000) };
    const response = await fetch(`${baseUrl}/inventory`, request);
    const { value = [] } = (await response.body?.getReader().read()) ?? {};
    return { isAccepted: response.status !== 401, hasStock: Buffer.from(value).toString() !== '[]' };
  } catch {
    return { isAccepted: true, hasStock: true };
  }
};

/** The commands that come before a release of a stage, whose checks need a deployment, a key and, in staging, stock. */
export const commandsBefore = async (
  stageName: string,
  assembly: string,
  { keyName, apiKey = '', cdk }: { keyName: string; apiKey: string | undefined; cdk: (command: string) => string },
): Promise<string[]> => {
  const stack = readStack(assembly, stageName);
  const { account } = await findAccount(stack);
  const createKey = `export ${keyName}=$(npx petstore keys create --name release --stage ${stageName})`;
  const addStock = `npx petstore inventory import ops/sample-inventory.csv --stage ${stageName}`;
  // What cannot be read, preflight reports.
  const deployed = account && (await describeStack(account, stack.stackName).catch(() => null));
  if (!account || deployed === null) {
    return apiKey ? [] : [createKey];
  }
  const needsStock = stageName === 'staging';
  if (!deployed || deployed.StackStatus === 'CREATE_FAILED') {
    return [cdk('deploy --no-rollback'), createKey, ...(needsStock ? [addStock] : [])];
  }
  const baseUrl = deployed.Outputs?.find(({ OutputKey }) => OutputKey === 'BaseUrl')?.OutputValue ?? '';
  const { isAccepted, hasStock } = await tryKey(baseUrl, apiKey);
  return [...(apiKey && isAccepted ? [] : [createKey]), ...(needsStock && !hasStock ? [addStock] : [])];
};
