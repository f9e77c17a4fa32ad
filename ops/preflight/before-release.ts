import { npxPetstore } from '../cli/command-line.ts';
import { requestList } from '../stage/request-list.ts';
import { findDeployment } from './deployment.ts';

/**
 * Returns the commands that must come before a release, because the checks after a deployment need
 * a key and, in staging, stock: all commands of a first deployment, or only those for what is still
 * missing.
 * @param app the option that names the assembly, as the operator gave it
 */
export const commandsBefore = async (
  stageName: string,
  assembly: string,
  apiKey: string | undefined,
  app: string,
) => {
  // The preflight reports what is wrong with the account and what cannot be read, so it is ignored
  // here.
  const deployment = await findDeployment(stageName, assembly, app, () => undefined);
  if (!deployment) {
    return [];
  }
  const deployed = await deployment.deployed.catch(() => null);
  const isFirst = deployed === undefined || deployed?.status === 'CREATE_FAILED';
  const list =
    deployed && !isFirst
      ? await requestList(deployed.baseUrl, apiKey ?? '').catch(() => null)
      : null;

  const createKey = `export PETSTORE_${stageName.toUpperCase()}_API_KEY=$(${npxPetstore} keys create --name release --stage ${stageName})`;
  const addStock = `${npxPetstore} inventory import ops/sample-inventory.csv --stage ${stageName}`;
  return [
    ...(isFirst ? [deployment.cdk('deploy --no-rollback')] : []),
    ...(isFirst || !apiKey || list?.status === 401 ? [createKey] : []),
    ...((isFirst || list?.beginning === '[]') && stageName === 'staging' ? [addStock] : []),
  ];
};
