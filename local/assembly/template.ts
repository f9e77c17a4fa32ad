import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Properties = Record<string, unknown>;

/** The template of one stage, as the local run reads it. */
export type Template = ReturnType<typeof readTemplate>;

/**
 * Reads the template of a stage from a cloud assembly.
 * @throws Error if the assembly holds no such stage
 */
export const readTemplate = (assembly: string, stageName: string) => {
  const [file] = globSync(`assembly-${stageName}/*.template.json`, { cwd: assembly });
  if (file === undefined) {
    throw new Error(`${assembly} holds no synthesized stage ${stageName}.`);
  }
  const { Resources, Outputs } = JSON.parse(readFileSync(join(assembly, file), 'utf8'));
  const resources: Record<string, { Type: string; Properties?: Properties }> = Resources;
  return {
    /** Returns the properties of all resources of a type by logical id. */
    resources: <Resolved>(type: string): Map<string, Resolved> => {
      const ofType = Object.entries(resources).filter(([, { Type }]) => Type === type);
      return new Map(
        ofType.map(([id, { Properties = {} }]) => [id, withoutReferences(Properties) as Resolved]),
      );
    },
    output: (name: string): string => String(withoutReferences(Outputs[name].Value)),
    /** Returns the directory whose content is zipped and uploaded under this key. */
    assetDirectory: (s3Key: string): string =>
      join(assembly, `asset.${s3Key.replace(/\.zip$/, '')}`),
  };
};

/**
 * Returns a value of the template without intrinsic functions. A reference becomes the logical id,
 * which serves as the resource's name on this machine, and a join its text.
 */
const withoutReferences = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(withoutReferences);
  }
  const { Ref: id, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, unknown>;
  if (id !== undefined) {
    return id;
  }
  if (attribute !== undefined) {
    return (attribute as string[]).join('.');
  }
  if (join !== undefined) {
    const [separator, parts] = join as [string, unknown[]];
    return parts.map(withoutReferences).join(separator);
  }
  // An object of the template's own, or an intrinsic function of another kind, such as Fn::Sub, whose
  // value a local run never needs.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutReferences(member)]),
  );
};
