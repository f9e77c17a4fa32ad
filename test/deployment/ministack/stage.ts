import type { Person } from './account.ts';

/** What lists everything of a kind in the account, and which part of the output has the names. */
const kinds: Record<string, [command: string, query: string]> = {
  tables: ['dynamodb list-tables', 'TableNames'],
  functions: ['lambda list-functions', 'Functions[].FunctionName'],
  apis: ['apigateway get-rest-apis', 'items[].tags."aws:cloudformation:stack-name"'],
  logGroups: ['logs describe-log-groups', 'logGroups[].logGroupName'],
  roles: ['iam list-roles', 'Roles[].RoleName'],
  alarms: ['cloudwatch describe-alarms', 'MetricAlarms[].AlarmName'],
  dashboards: ['cloudwatch list-dashboards', 'DashboardEntries[].DashboardName'],
  topics: ['sns list-topics', 'Topics[].TopicArn'],
  firewalls: ['wafv2 list-web-acls --scope REGIONAL', 'WebACLs[].Name'],
};

export const allKinds = Object.keys(kinds);

export interface Request {
  method: 'GET' | 'PATCH';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Returns a function that runs a command of the AWS CLI and returns the JSON that it prints. */
const asking = (person: Person) => async (command: string) =>
  JSON.parse(await person.run(`aws ${command}`));
type Ask = ReturnType<typeof asking>;

const list: Request = { method: 'GET', path: '/inventory' };

/** What exists of a stage in an account, as an administrator sees it. */
export const deployedStage = (administrator: Person, stage: string) => {
  const stackName = `${stage}-petstore-inventory`;
  const ask = asking(administrator);
  const ofStack = async () => {
    const { Stacks } = await ask(`cloudformation describe-stacks --stack-name ${stackName}`);
    return Stacks[0];
  };
  const resources = async (type: string): Promise<Record<string, string>> => {
    const found = await ask(`cloudformation list-stack-resources --stack-name ${stackName}`);
    const ofType = (found.StackResourceSummaries as Record<string, string>[]).filter(
      ({ ResourceType = '' }) => ResourceType.endsWith(type),
    );
    return Object.fromEntries(
      ofType.map((each) => [each.LogicalResourceId, each.PhysicalResourceId]),
    );
  };
  const readOutputs = async (): Promise<Record<string, string>> => {
    const { Outputs = [] } = await ofStack();
    return Object.fromEntries(
      Outputs.map((each: Record<string, string>) => [each.OutputKey, each.OutputValue]),
    );
  };
  let known: ReturnType<typeof readOutputs> | undefined;
  /** Returns the outputs of the deployed stack, which stay the same. */
  const outputs = () => (known ??= readOutputs());
  return {
    status: async (): Promise<string> => (await ofStack()).StackStatus,
    outputs,
    policy: async (): Promise<unknown> => {
      const get = `cloudformation get-stack-policy --stack-name ${stackName}`;
      return JSON.parse((await ask(get)).StackPolicyBody);
    },
    /** Returns the physical ids of the resources of a type by logical id. */
    resources,
    /** Returns the status of a request, or of a list, as a client with this key gets it. */
    statusFor: async (apiKey: string, request: Request = list): Promise<number> =>
      statusOf(administrator, (await outputs()).BaseUrl, apiKey, request),
    /** Empties the authorizer's cache. */
    flush: async (): Promise<void> => {
      const [id] = Object.values(await resources('::ApiGateway::RestApi'));
      const target = `--rest-api-id ${id} --stage-name ${stage}`;
      await administrator.run(`aws apigateway flush-stage-authorizers-cache ${target}`);
    },
    items: async (table: string) => (await ask(`dynamodb scan --table-name ${table}`)).Items,
    /** Returns the settings of a table that a restore does not bring back by itself. */
    table: async (name: string) => {
      const { Table } = await ask(`dynamodb describe-table --table-name ${name}`);
      const backups = await ask(`dynamodb describe-continuous-backups --table-name ${name}`);
      const { DeletionProtectionEnabled, BillingModeSummary, OnDemandThroughput } = Table;
      const { PointInTimeRecoveryDescription: recovery } = backups.ContinuousBackupsDescription;
      return {
        DeletionProtectionEnabled,
        BillingMode: BillingModeSummary.BillingMode,
        OnDemandThroughput,
        PointInTimeRecoveryStatus: recovery.PointInTimeRecoveryStatus,
      };
    },
    /** Returns the names of what exists in the account and is named after the stage, by kind. */
    remains: () => remainsOf(ask, stackName, `petstore-inventory-${stage}-`),
    /** Returns the numbers of each function's versions, and of the one that clients reach. */
    versions: async () => {
      const names = Object.values(await resources('::Lambda::Function'));
      return Promise.all(names.map((name) => versionsOf(ask, name)));
    },
  };
};

const versionsOf = async (ask: Ask, name: string): Promise<{ kept: string[]; live: string }> => {
  const { Versions } = await ask(`lambda list-versions-by-function --function-name ${name}`);
  const alias = await ask(`lambda get-alias --function-name ${name} --name live`);
  const published: string[] = Versions.map((each: { Version: string }) => each.Version);
  return { kept: published.slice(1), live: alias.FunctionVersion };
};

/** Lets curl reach MiniStack at the host names of AWS. */
export const connection = '--connect-to "::127.0.0.1:$MINISTACK_PORT" --cacert "$AWS_CA_BUNDLE"';

/** Sends a request to MiniStack, as connect.cjs does for programs of Node. */
const statusOf = async (
  person: Person,
  baseUrl: string | undefined,
  apiKey: string,
  { method, path, body, headers: others }: Request,
): Promise<number> => {
  const headers = Object.entries({
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    ...others,
  })
    .map(([name, value]) => `-H '${name}: ${value}'`)
    .join(' ');
  const data = body === undefined ? '' : `--data '${body}'`;
  const status = await person.run(
    `curl -sS -o /dev/null -w '%{http_code}' ${connection} ${headers} ${data} ` +
      `-X ${method} '${baseUrl}${path}'`,
  );
  return Number(status);
};

/**
 * Returns the names of what exists in the account and is named after a stage, by kind. The dashboard
 * has a name for people, which begins otherwise than CloudFormation's names.
 */
const remainsOf = async (
  ask: Ask,
  stackName: string,
  dashboard: string,
): Promise<Record<string, string[]>> => {
  const found = await Promise.all(
    Object.entries(kinds).map(async ([kind, [command, query]]) => {
      const names: string[] = await ask(`${command} --query '${query}'`);
      const left = names.filter((name) => name.includes(stackName) || name.startsWith(dashboard));
      return [kind, left] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
};
