import { type Reply, xmlError } from './aws-reply.ts';

export interface Stack {
  status: string;
  template: string;
  outputs?: Record<string, string>;
  /** Physical ids by logical id. */
  resources?: Record<string, string>;
  /** Its deployments are rolled back. */
  isFailing?: boolean;
  /** Called when it has been deployed. */
  onDeployed?: () => void;
}

const toXml = (value: unknown): string => {
  if (typeof value !== 'object') {
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  }
  const entries = Array.isArray(value) ? value.map((each) => ['member', each]) : Object.entries(value ?? {});
  return entries.map(([name, inner]) => `<${name}>${toXml(inner)}</${name}>`).join('');
};

/** What an action of the services that speak XML returns. */
export const xmlResult = (action: string, value: object): Reply => ({
  xml: `<${action}Response><${action}Result>${toXml(value)}</${action}Result></${action}Response>`,
});

/** Its stacks, which a change set creates or updates at once. Their templates come from the objects that were uploaded. */
export const cloudFormation = (stacks: Map<string, Stack>, objects: Map<string, string>) => {
  const changeSets = new Map<string, string>();

  const execute = (stack: Stack, template: string) => {
    const isUpdate = stack.template !== '';
    if (stack.isFailing) {
      stack.status = isUpdate ? 'UPDATE_ROLLBACK_COMPLETE' : 'ROLLBACK_COMPLETE';
    } else {
      Object.assign(stack, { status: isUpdate ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE', template });
    }
    stack.onDeployed?.();
  };

  const resultOf = (action: string, name: string, stack: Stack, templateUrl: string | null): object => {
    const { status: StackStatus, template: TemplateBody, outputs = {}, resources = {} } = stack;
    const StackId = `arn:aws:cloudformation:eu-west-1:111122223333:stack/${name}/1`;
    const changeSet = { ChangeSetName: 'c', ChangeSetId: 'arn:change-set', StackId, Status: 'CREATE_COMPLETE' };
    const pairs = (values: Record<string, string>, key: string, value: string) =>
      Object.entries(values).map(([left, right]) => ({ [key]: left, [value]: right }));
    switch (action) {
      case 'CreateChangeSet': {
        const { pathname } = new URL(templateUrl ?? '');
        changeSets.set(name, [...objects].find(([path]) => pathname.endsWith(path))?.[1] ?? '');
        stacks.set(name, stack);
        return { Id: 'arn:change-set', StackId };
      }
      case 'DescribeChangeSet':
        return { ...changeSet, ExecutionStatus: 'AVAILABLE', Changes: [{ Type: 'Resource' }] };
      case 'ExecuteChangeSet':
        execute(stack, changeSets.get(name) ?? '');
        return {};
      case 'DeleteChangeSet':
        changeSets.delete(name);
        return {};
      case 'DescribeStacks': {
        const Outputs = pairs(outputs, 'OutputKey', 'OutputValue');
        return { Stacks: [{ StackName: name, StackId, StackStatus, CreationTime: '2026-01-01T00:00:00Z', Outputs }] };
      }
      case 'ListStackResources':
        return { StackResourceSummaries: pairs(resources, 'LogicalResourceId', 'PhysicalResourceId') };
      default:
        return { TemplateBody };
    }
  };

  return (action: string, name: string, parameters: URLSearchParams): Reply => {
    const stack = stacks.get(name) ?? { status: 'REVIEW_IN_PROGRESS', template: '' };
    if (action === 'DescribeChangeSet' && !changeSets.has(name)) {
      return xmlError('ChangeSetNotFound', 'ChangeSet [c] does not exist');
    }
    return stacks.has(name) || action === 'CreateChangeSet'
      ? xmlResult(action, resultOf(action, name, stack, parameters.get('TemplateURL')))
      : xmlError('ValidationError', `Stack with id ${name} does not exist`);
  };
};
