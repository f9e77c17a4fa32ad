import type { CloudFormation, Stack } from '@aws-sdk/client-cloudformation';
import { CliError } from '../cli/cli-error.ts';
import { pages } from '../cli/pages.ts';

export const stackNameOf = (stageName: string): string => `${stageName}-petstore-inventory`;

/** Returns what CloudFormation says about a stack, or undefined if it knows none of that name. */
export const describeStack = async (
  client: CloudFormation,
  StackName: string,
): Promise<Stack | undefined> => {
  try {
    const { Stacks = [] } = await client.describeStacks({ StackName });
    return Stacks[0];
  } catch (error) {
    if ((error as Error).message.includes('does not exist')) {
      return undefined;
    }
    throw error;
  }
};

/** Returns an output of a stack. A stack that was never complete has none. */
export const outputOf = ({ Outputs = [] }: Stack, name: string): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

/** Returns where a stack is, such as `account 111122223333, eu-west-1`. */
export const placeOf = ({ StackId = '' }: Stack): string => {
  const [, , , region, account] = StackId.split(':');
  return `account ${account}, ${region}`;
};

interface Whereabouts {
  stageName: string;
  region: string;
  /** What follows `npx cdk deploy 'prod/*'`, such as ` --app cdk.out`. */
  cdkOptions?: string;
}

/** Returns the error for a stage without a stack, which may also be one that is looked for elsewhere. */
export const notDeployed = ({ stageName, region, cdkOptions = '' }: Whereabouts): CliError => {
  const stackName = stackNameOf(stageName);
  const message = `${stageName} is not deployed: ${region} has no stack ${stackName} in the account of`;
  return new CliError('unavailable', `${message} these credentials.`, {
    hint:
      'Set AWS_REGION or AWS_PROFILE if it is elsewhere (aws sts get-caller-identity shows the ' +
      `account), or deploy it: npx cdk deploy --no-rollback '${stageName}/*'${cdkOptions}`,
  });
};

/** A stage and its stack, and how to deploy it. */
interface StageStack {
  stageName: string;
  stack: Stack;
  /** What follows `npx cdk deploy 'prod/*'`, such as ` --app cdk.out`. */
  cdkOptions?: string;
}

/**
 * Whether the first deployment of a stack, or the attempt to continue it, has failed. Such a stack
 * must not be rolled back: without a state to go back to, AWS deletes it, and the CDK has it delete
 * the tables as well.
 */
export const isFirstDeploymentUnfinished = (stack: Stack): boolean =>
  stack.StackStatus === 'CREATE_FAILED' ||
  (stack.StackStatus === 'UPDATE_FAILED' && outputOf(stack, 'BaseUrl') === undefined);

/**
 * Returns what to do with a stack that is in the middle of something or broken, with a command at
 * the end. Returns undefined if it is complete and at rest.
 */
export const adviceFor = ({
  stageName,
  stack,
  cdkOptions = '',
}: StageStack): string | undefined => {
  const { StackName, StackStatus: status = '' } = stack;
  const cdk = (command: string) => `npx cdk ${command} '${stageName}/*'${cdkOptions}`;
  const first = cdk('deploy --no-rollback');

  if (status === 'REVIEW_IN_PROGRESS' || status === 'DELETE_COMPLETE') {
    return `Deploy it first: ${first}`;
  }
  if (status.endsWith('_IN_PROGRESS')) {
    const show = `aws cloudformation describe-stacks --stack-name ${StackName}`;
    return `Wait until it has finished: ${show} --query 'Stacks[0].StackStatus'`;
  }
  if (status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED') {
    return adviceToBeginAnew(stack, first);
  }
  if (isFirstDeploymentUnfinished(stack)) {
    return (
      'Its first deployment is not finished. Fix the cause and continue. If the CDK asks whether ' +
      `to roll back, answer no, and never use --force (${pages.failedDeployment}): ${first}`
    );
  }
  if (status === 'UPDATE_FAILED' || status === 'UPDATE_ROLLBACK_FAILED') {
    return `Roll it back: ${cdk('rollback')}`;
  }
  if (status === 'DELETE_FAILED') {
    return `Fix the cause and delete it again: ${cdk('destroy')}`;
  }
  return status.endsWith('_COMPLETE') ? undefined : 'Repair it in the CloudFormation console.';
};

/** The CDK deletes a stack whose first deployment was rolled back, unless it is protected. */
const adviceToBeginAnew = (
  { StackName, EnableTerminationProtection }: Stack,
  deploy: string,
): string => {
  const unprotect =
    'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
    `--stack-name ${StackName} && `;
  const begin = `${EnableTerminationProtection ? unprotect : ''}${deploy}`;
  return `Its first deployment was rolled back. Fix the cause and begin anew: ${begin}`;
};
