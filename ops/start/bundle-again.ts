import { readTemplate } from '../../local/assembly/template.ts';
import { bundled, writeBundle } from '../../infra/lambda/bundling.ts';
import { functionSpecs } from '../../infra/service/operations.ts';

export interface Bundles {
  /** The directory of the cloud assembly. */
  assembly: string;
  stageName: string;
  forDebuggers?: boolean;
}

/**
 * Replaces the bundles of an assembly by those of functions/ as it is now: all of them, or none.
 * @throws Error with what esbuild says if a source does not compile
 */
export const bundleAgain = ({ assembly, stageName, forDebuggers = false }: Bundles): void => {
  const { resources, assetDirectory } = readTemplate(assembly, stageName);
  const functions = resources<{ Code: { S3Key: string } }>('AWS::Lambda::Function');
  const bundles = Array.from(functions, ([id, { Code }]) => ({
    directory: assetDirectory(Code.S3Key),
    files: bundled(entryPointOf(id), { forDebuggers }),
  }));
  for (const { directory, files } of bundles) {
    writeBundle(directory, files);
  }
};

const entryPointOf = (functionId: string): string => {
  const spec = functionSpecs.find(({ name }) => functionId.startsWith(name));
  if (spec === undefined) {
    throw new Error(`${functionId} is not a function of the service.`);
  }
  return spec.entryPoint;
};
