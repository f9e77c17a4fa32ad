import type { Person } from './account.ts';

export interface Request {
  method: 'GET' | 'PATCH';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

const list: Request = { method: 'GET', path: '/inventory' };

/**
 * What exists of a stage in an account, as an administrator sees it, and what a client gets whose
 * key is in the file `~/STAGE-key`.
 */
export const deployedStage = (administrator: Person, stage: string) => {
  const ofStack = `--stack-name ${stage}-petstore-inventory`;
  /** Runs a command of the AWS CLI, and returns what it prints. */
  const ask = async (command: string) => JSON.parse(await administrator.run(`aws ${command}`));

  const outputs = async (): Promise<Record<string, string>> => {
    const query = "--query 'Stacks[0].Outputs[].[OutputKey, OutputValue]'";
    return Object.fromEntries(await ask(`cloudformation describe-stacks ${ofStack} ${query}`));
  };
  let baseUrl: string | undefined;

  /** Returns the physical ids of the resources of a type by logical id. */
  const resources = async (type: string): Promise<Record<string, string>> => {
    const ofType = `StackResourceSummaries[?ends_with(ResourceType, '${type}')]`;
    const query = `--query "${ofType}.[LogicalResourceId, PhysicalResourceId]"`;
    return Object.fromEntries(await ask(`cloudformation list-stack-resources ${ofStack} ${query}`));
  };

  /** Returns the numbers of a function's versions, and of the one that clients reach. */
  const versionsOf = async (name: string): Promise<{ kept: string[]; live: string }> => {
    const ofFunction = `--function-name ${name}`;
    const list = `list-versions-by-function ${ofFunction} --query 'Versions[].Version'`;
    const [_latest, ...kept] = await ask(`lambda ${list}`);
    const live = `get-alias ${ofFunction} --name live --query FunctionVersion`;
    return { kept, live: await ask(`lambda ${live}`) };
  };

  return {
    outputs,
    resources,
    status: (): Promise<string> =>
      ask(`cloudformation describe-stacks ${ofStack} --query 'Stacks[0].StackStatus'`),
    versions: async () => {
      const names = Object.values(await resources('::Lambda::Function'));
      return Promise.all(names.map(versionsOf));
    },
    /** Returns the status of a request, or of a list. */
    statusFor: async ({ method, path, body = '', headers }: Request = list): Promise<number> => {
      baseUrl ??= (await outputs()).BaseUrl;
      const all = { 'Content-Type': 'application/json', ...headers };
      const given = Object.entries(all).map(([name, value]) => `-H '${name}: ${value}'`);
      const authorization = `-H "Authorization: Bearer $(cat ~/${stage}-key)"`;
      const request = `-X ${method} ${authorization} ${given.join(' ')} --data '${body}'`;
      const curl = `curl -sS -o /dev/null -w '%{http_code}' ${request} '${baseUrl}${path}'`;
      return Number(await administrator.run(curl));
    },
    flush: async (): Promise<void> => {
      const [id] = Object.values(await resources('::ApiGateway::RestApi'));
      const target = `--rest-api-id ${id} --stage-name ${stage}`;
      await administrator.run(`aws apigateway flush-stage-authorizers-cache ${target}`);
    },
  };
};
