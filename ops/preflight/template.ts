export interface Template {
  Resources: Record<string, { Type: string; Properties?: Record<string, unknown> }>;
}

export interface Resource {
  logicalId: string;
  properties: Record<string, unknown>;
}

/** Returns the resources of one type. */
export const resourcesOf = ({ Resources }: Template, type: string): Resource[] =>
  Object.entries(Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([logicalId, { Properties = {} }]) => ({ logicalId, properties: Properties }));

/** The requests of an operation that API Gateway lets through. */
export interface OperationLimits {
  operation: string;
  /** Requests a second. */
  rate: number;
  /** Requests at once. */
  burst: number;
}

/** Returns what a stage allows for each operation: API Gateway counts each method by itself. */
export const throttlingOf = (template: Template): OperationLimits[] => {
  const settings = resourcesOf(template, 'AWS::ApiGateway::Stage').flatMap(
    ({ properties }) => (properties.MethodSettings ?? []) as Record<string, unknown>[],
  );
  const ofAllMethods = settings.find(({ ResourcePath }) => ResourcePath === '/*');
  const operations = resourcesOf(template, 'AWS::ApiGateway::Method').filter(
    ({ properties }) => properties.OperationName,
  );
  return operations.map(({ properties }) => {
    const { OperationName, HttpMethod, ResourceId } = properties;
    const resource = template.Resources[(ResourceId as { Ref: string }).Ref];
    // The last part identifies a path, because no two paths of the API end in the same part.
    const end = `~1${resource?.Properties?.PathPart}`;
    const ofMethod = settings.find(
      (each) => each.HttpMethod === HttpMethod && String(each.ResourcePath).endsWith(end),
    );
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = ofMethod ?? ofAllMethods ?? {};
    return {
      operation: String(OperationName),
      rate: Number(ThrottlingRateLimit),
      burst: Number(ThrottlingBurstLimit),
    };
  });
};

/** Returns how many executions the functions of a stage reserve. */
export const reservedBy = (template: Template): number =>
  resourcesOf(template, 'AWS::Lambda::Function').reduce(
    (total, { properties }) => total + Number(properties.ReservedConcurrentExecutions ?? 0),
    0,
  );

/** What a template says about lists. */
export interface ListSettings extends OperationLimits {
  /** `list.timeout`, in seconds. */
  timeLimit: number;
  /** `list.reservedConcurrency`, undefined unless it is set. */
  reserved: number | undefined;
  /** The logical ID of the table that lists read. */
  tableId: string;
  /** `tables.ceiling.read` in read units a second, undefined unless it is set. */
  readCeiling: number | undefined;
}

export const listSettingsOf = (template: Template): ListSettings => {
  const limits = throttlingOf(template).find(({ operation }) => operation === 'listInventory');
  const lambda = resourcesOf(template, 'AWS::Lambda::Function').find(
    ({ properties }) => variablesOf(properties).LIST_TIMEOUT_SECONDS !== undefined,
  );
  if (!limits || !lambda) {
    throw new Error('The template has no listInventory.');
  }
  const { LIST_TIMEOUT_SECONDS, INVENTORY_TABLE_NAME } = variablesOf(lambda.properties);
  const { Ref: tableId } = INVENTORY_TABLE_NAME as { Ref: string };
  const reserved = lambda.properties.ReservedConcurrentExecutions as number | undefined;
  const readCeiling = readCeilingOf(template.Resources[tableId]?.Properties ?? {});
  return { ...limits, timeLimit: Number(LIST_TIMEOUT_SECONDS), reserved, tableId, readCeiling };
};

const variablesOf = ({ Environment }: Record<string, unknown>): Record<string, unknown> =>
  (Environment as { Variables?: Record<string, unknown> } | undefined)?.Variables ?? {};

/** Every replica of a table has the same ceiling. */
const readCeilingOf = ({ Replicas }: Record<string, unknown>): number | undefined => {
  const [first] = (Replicas ?? []) as {
    ReadOnDemandThroughputSettings?: { MaxReadRequestUnits: number };
  }[];
  return first?.ReadOnDemandThroughputSettings?.MaxReadRequestUnits;
};
