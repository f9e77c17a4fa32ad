// biome-ignore lint/suspicious/noExplicitAny: as in CDK's own Template; tests state the shapes.
export type Json = any;

export interface Template {
  Resources: Record<string, Json>;
  Outputs: Record<string, Json>;
}

/** Returns a logical id without the hashes that CDK appends. */
const nameOf = (logicalId: string): string =>
  logicalId.replace(/[0-9A-F]{8}([0-9a-f]{8}|[0-9a-f]{32})?$/, '');

/** Joins parts, of which those that were intrinsic functions have become text. */
const joined = ([separator, parts]: [string, Json[]]): string => {
  const other = parts.find((part) => typeof part === 'object');
  if (other) {
    throw new Error(`It has no text yet: ${JSON.stringify(other)}`);
  }
  return parts.join(separator);
};

/**
 * Returns a template with text in place of intrinsic functions: a reference as `<Table>` or
 * `<Table.Arn>`, by what `nameOf` makes of its logical id, and a join as what it joins.
 */
export const withText = (template: Template | undefined, nameOf = (id: string) => id): Template => {
  // JSON.parse calls this for arguments before it does so for the function that has them.
  const texts: Record<string, (argument: Json) => string> = {
    Ref: (logicalId) => `<${nameOf(logicalId)}>`,
    'Fn::GetAtt': ([logicalId, attribute]) => `<${nameOf(logicalId)}.${attribute}>`,
    'Fn::Join': joined,
    'Fn::Split': ([separator, text]) => `${text} split at ${separator}`,
    'Fn::Select': ([index, list]) => `<part ${index} of ${list}>`,
  };
  return JSON.parse(JSON.stringify(template), (_key, value) => {
    const [[name = '', argument] = []] = Object.entries(value ?? {});
    return texts[name]?.(argument) ?? value;
  }) as Template;
};

/**
 * Returns a stack that reads like the code: resources by the names of their constructs, and
 * references as text.
 */
export const readable = (template: Template | undefined) => {
  const { Resources: byId, Outputs } = withText(template, nameOf);
  const named = Object.entries(byId).map(([id, resource]) => [nameOf(id), resource] as const);
  /** Returns the properties of each resource of one type by name. */
  const byName = (type: string): Record<string, Json> =>
    Object.fromEntries(
      named
        .filter(([, { Type }]) => Type === type)
        .map(([name, { Properties = {} }]) => [name, Properties]),
    );
  const Resources: Template['Resources'] = Object.fromEntries(named);
  return { Resources, Outputs, byName, all: (type: string) => Object.values(byName(type)) };
};
