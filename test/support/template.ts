// biome-ignore lint/suspicious/noExplicitAny: as CDK's own Template has it, since a test names the shape that it expects.
export type Json = any;

export interface Resource {
  Type: string;
  Properties: Record<string, Json>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, { Value: unknown }>;
}

/** A logical id without the hashes that CDK appends. */
const nameOf = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}([0-9a-f]{8}|[0-9a-f]{32})?$/, '');

/** The same with text for references, `<Table>` or `<Table.Arn>`, and for what is joined of them. */
const withText = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(withText);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const [[name, argument] = []] = Object.entries(value);
  switch (name) {
    case 'Ref':
      return `<${nameOf(argument)}>`;
    case 'Fn::GetAtt':
      return `<${nameOf(argument[0])}.${argument[1]}>`;
    case 'Fn::Join':
      return argument[1].map(withText).join(argument[0]);
    default:
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withText(member)]));
  }
};

/** The resources of one type by logical id. */
export const resourcesOf = ({ Resources }: Pick<Template, 'Resources'>, type: string): Record<string, Resource> =>
  Object.fromEntries(Object.entries(Resources).filter(([, resource]) => resource.Type === type));

/** A stack that reads like the code: resources by the names of their constructs, references as text. */
export const readable = (template: Template | undefined) => {
  const { Resources: resources, Outputs } = withText(template) as Template;
  const Resources = Object.fromEntries(Object.entries(resources).map(([id, resource]) => [nameOf(id), resource]));
  /** The properties of the resources of one type by name. */
  const of = (type: string): Record<string, Resource['Properties']> =>
    Object.fromEntries(
      Object.entries(resourcesOf({ Resources }, type)).map(([name, { Properties = {} }]) => [name, Properties]),
    );
  return { Resources, Outputs, of, all: (type: string) => Object.values(of(type)) };
};
