import { type Reply, xmlError } from './aws-reply.ts';

interface Stack {
  status: string;
  template: string;
}

export interface CloudFormation {
  /** The deployed stacks by name. */
  stacks: Map<string, Stack>;
  /** Stacks whose deployments are rolled back. */
  failing: Set<string>;
  /** What happens once a stack is deployed. */
  deploying: Map<string, () => void>;
  /** The outputs of a stack once it is deployed. */
  outputs: Map<string, Record<string, string>>;
  /** Physical ids of the resources of a stack, by logical id. */
  resources: Map<string, Record<string, string>>;
  reply(action: string, parameters: URLSearchParams): Reply;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Stacks that a change set creates or updates at once. Templates come from the objects that were uploaded. */
export const cloudFormation = (objects: Map<string, string>): CloudFormation => {
  const stacks = new Map<string, Stack>();
  const failing = new Set<string>();
  const deploying = new Map<string, () => void>();
  const outputs = new Map<string, Record<string, string>>();
  const resources = new Map<string, Record<string, string>>();
  const changeSets = new Map<string, string>();

  const result = (action: string, xml: string): Reply => ({
    xml: `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`,
  });
  const arn = (name: string) => `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/1`;
  const member = (tag: string, values: Record<string, string>) =>
    `<${tag}>${Object.entries(values)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</${tag}>`;

  const describeStack = (name: string, { status }: Stack) => {
    const pairs = Object.entries(outputs.get(name) ?? {});
    const members = pairs.map(([OutputKey, OutputValue]) => member('member', { OutputKey, OutputValue }));
    return (
      '<Stacks><member>' +
      `<StackName>${name}</StackName><StackId>${arn(name)}</StackId><StackStatus>${status}</StackStatus>` +
      `<CreationTime>2026-01-01T00:00:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>`
    );
  };

  const reply = (action: string, parameters: URLSearchParams): Reply => {
    const name = (parameters.get('StackName') ?? '').replace(/^arn:.*:stack\/(.*)\/.*$/, '$1');
    const stack = stacks.get(name);
    switch (action) {
      case 'CreateChangeSet': {
        const { pathname } = new URL(parameters.get('TemplateURL') ?? '');
        changeSets.set(name, objects.get(pathname) ?? [...objects].find(([key]) => pathname.endsWith(key))?.[1] ?? '');
        stacks.set(name, stack ?? { status: 'REVIEW_IN_PROGRESS', template: '' });
        return result(action, `<Id>arn:change-set</Id><StackId>${arn(name)}</StackId>`);
      }
      case 'DeleteChangeSet':
        changeSets.delete(name);
        return result(action, '');
      case 'DescribeChangeSet':
        if (!changeSets.has(name)) {
          return xmlError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
        }
        return result(
          action,
          `<ChangeSetName>c</ChangeSetName><ChangeSetId>arn:change-set</ChangeSetId><StackId>${arn(name)}</StackId>` +
            '<Status>CREATE_COMPLETE</Status><ExecutionStatus>AVAILABLE</ExecutionStatus><Changes><member><Type>Resource</Type></member></Changes>',
        );
      case 'ExecuteChangeSet': {
        const status = stack?.template ? 'UPDATE' : 'CREATE';
        stacks.set(
          name,
          failing.has(name)
            ? {
                status: status === 'UPDATE' ? 'UPDATE_ROLLBACK_COMPLETE' : 'ROLLBACK_COMPLETE',
                template: stack?.template ?? '',
              }
            : { status: `${status}_COMPLETE`, template: changeSets.get(name) ?? '' },
        );
        deploying.get(name)?.();
        return result(action, '');
      }
    }
    if (!stack) {
      return xmlError('ValidationError', `Stack with id ${name} does not exist`);
    }
    switch (action) {
      case 'DescribeStacks':
        return result(action, describeStack(name, stack));
      case 'ListStackResources': {
        const summaries = Object.entries(resources.get(name) ?? {}).map(([LogicalResourceId, PhysicalResourceId]) =>
          member('member', { LogicalResourceId, PhysicalResourceId }),
        );
        return result(action, `<StackResourceSummaries>${summaries.join('')}</StackResourceSummaries>`);
      }
      case 'GetTemplate':
        return result(action, `<TemplateBody>${escaped(stack.template)}</TemplateBody>`);
      default:
        return result(action, '');
    }
  };
  return { stacks, failing, deploying, outputs, resources, reply };
};
