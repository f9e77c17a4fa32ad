import { join } from 'node:path';
import {
  AssetManifestArtifact,
  type CloudAssembly,
  UNKNOWN_ACCOUNT,
  UNKNOWN_REGION,
} from 'aws-cdk-lib/cx-api';
import { stageStack } from './stage-stack.ts';
import { type Resources, TemplateResolver } from './template-resolver.ts';

/** One stack of a synthesized cloud assembly, as CloudFormation would create it. */
export type SynthesizedStack = ReturnType<typeof readStack>;

/** Reads the stack of a stage from a cloud assembly (`cdk.out`). */
export const readStack = (assemblyDirectory: string, stageName: string) => {
  const { stackName, assembly, template, environment } = stageStack(assemblyDirectory, stageName);
  const accountId = environment.account.replace(UNKNOWN_ACCOUNT, '000000000000');
  const region = environment.region.replace(UNKNOWN_REGION, 'us-east-1');
  const resources: Resources = template.Resources;
  const resolver = new TemplateResolver(resources, { stackName, accountId, region });

  return {
    stackName,
    /** The account and region of the stage, or placeholders if its `env` does not set them. */
    account: { accountId, region },
    /**
     * Returns the properties of all resources of a type by logical id, with their intrinsic
     * functions resolved.
     */
    resources: <Resolved>(type: string): Map<string, Resolved> => {
      const ofType = Object.entries(resources).filter(([, { Type }]) => Type === type);
      return new Map(
        ofType.map(([logicalId, { Properties = {} }]) => [
          logicalId,
          resolver.resolve(Properties) as Resolved,
        ]),
      );
    },
    /** Returns the value of `Ref` for a resource: the name or id that it would have. */
    ref: (name: string): string => resolver.ref(name),
    output: (name: string): string => String(resolver.resolve(template.Outputs[name].Value)),
    /** Returns the directory whose content is zipped and uploaded under this key. */
    assetDirectory: (s3Key: string): string => assetDirectory(assembly, s3Key),
  };
};

const assetDirectory = (assembly: CloudAssembly, s3Key: string): string => {
  const manifest = assembly.artifacts.find(AssetManifestArtifact.isAssetManifestArtifact);
  const { path } = manifest?.contents.files?.[s3Key.replace(/\.zip$/, '')]?.source ?? {};
  if (path === undefined) {
    throw new Error(`${assembly.directory} holds no asset ${s3Key}.`);
  }
  return join(assembly.directory, path);
};
