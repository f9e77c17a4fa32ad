import { npxPetstore } from '../cli/command-line.ts';
import { isSendable, requestList } from '../stage/request-list.ts';
import { findDeployment } from './deployment.ts';
import { firstDeploymentCommands } from './first-deployment.ts';

interface ReleaseProps {
  stageName: string;
  apiKey: string | undefined;
  /** The directory of the cloud assembly. */
  assembly: string;
  /** The option that names the assembly, as the operator gave it; '' without one. */
  assemblyOption: string;
}

/**
 * Returns the commands that must come before a release, because the checks after a deployment need
 * a key and, in staging, stock: all commands of a first deployment, or only those for what is still
 * missing. Throws AWS's error if the stage's stack may not be read.
 */
export const commandsBefore = async (props: ReleaseProps): Promise<string[]> => {
  const { stageName, apiKey = '', assembly, assemblyOption } = props;
  // The preflight reports what is wrong with the account, so it is ignored here.
  const report = () => undefined;
  const deployment = await findDeployment({ stageName, assembly, assemblyOption, report });
  if (!deployment) {
    return [];
  }
  const deployed = await deployment.deployed;
  const isStaging = stageName === 'staging';
  const isFirst = deployed === undefined || deployed.status === 'CREATE_FAILED';
  if (isFirst) {
    const first = [...(await firstDeploymentCommands(deployment)), createKey(stageName)];
    return isStaging ? [...first, addStock] : first;
  }
  if (!isSendable(apiKey)) {
    return [createKey(stageName)];
  }
  // A service that is broken or cannot be reached may be what the release repairs.
  const list = await requestList(deployed.baseUrl, apiKey).catch(() => undefined);
  if (list?.status === 401) {
    return [createKey(stageName)];
  }
  return isStaging && list?.beginning === '[]' ? [addStock] : [];
};

const createKey = (stageName: string): string => {
  const variable = `PETSTORE_${stageName.toUpperCase()}_API_KEY`;
  const create = `${npxPetstore} keys create --name release --stage ${stageName}`;
  return `export ${variable}=$(${create})`;
};

const addStock = `${npxPetstore} inventory import ops/sample-inventory.csv --stage staging`;
