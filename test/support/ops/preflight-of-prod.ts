import type { Finding } from '../../../ops/preflight/finding.ts';
import { assembly } from '../stack/assembly.ts';
import { assemblyWith, resourcesOf, type Template, templates } from '../stack/synthesized.ts';
import { fakeAws } from './fake-aws.ts';
import { ops } from './ops.ts';

export const stackName = 'prod-petstore-inventory';
export const prod = templates.prod as Template;

/** Returns the logical ID of the resource of a type whose ID begins like this. */
export const logicalId = (type: string, beginning = ''): string => {
  const ids = Object.keys(resourcesOf(prod, type));
  return ids.find((id) => id.startsWith(beginning)) ?? '';
};

export const inventoryTable = `${stackName}-InventoryTable48F1-2DEF`;

/** Physical ids by logical id. */
const resources = {
  [logicalId('AWS::DynamoDB::GlobalTable', 'InventoryTable')]: inventoryTable,
  [logicalId('AWS::SNS::Topic')]: 'arn:aws:sns:eu-west-1:111122223333:topic',
  [logicalId('AWS::CloudWatch::Alarm', 'AlarmsFaults')]: `${stackName}-AlarmsFaults-1`,
};

/**
 * How prod in the account differs from a stack that is up to date, and AWS from an account in which
 * all is well.
 */
export interface Differences {
  status?: string;
  isProtected?: boolean;
  /** Whether there is a stack. */
  isDeployed?: boolean;
  /** What is deployed. */
  template?: Template;
  /** What is to be deployed. */
  next?: Template;
  /** The responses of AWS, by `service Action`. */
  replies?: Record<string, object>;
}

/** Runs the checks on prod and returns what they find. */
export const preflightOfProd = async (differences: Differences = {}): Promise<Finding[]> => {
  const { next, replies = {}, isDeployed = true, template = prod, ...stack } = differences;
  const aws = await fakeAws(replies);
  if (isDeployed) {
    const deployed = { status: 'UPDATE_COMPLETE', resources, ...stack };
    aws.stacks.set(stackName, { ...deployed, template: JSON.stringify(template) });
  }
  const app = next ? assemblyWith(next) : assembly;
  const { output } = await ops(['preflight', '--stage', 'prod', '--app', app, '--json'], {
    env: aws.environment,
  });
  return JSON.parse(output);
};

/** Returns the findings of one check on prod, one per line. */
export const findingsOf = async (check: string, differences: Differences): Promise<string> => {
  const findings = await preflightOfProd(differences);
  return findings
    .filter((finding) => finding.check === check)
    .map(({ outcome, message }) => `${outcome}: ${message}`)
    .join('\n');
};
