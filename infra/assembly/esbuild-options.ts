import type { BuildOptions } from 'esbuild';
import { bundling } from '../lambda/bundling.ts';

/**
 * Returns the functions' bundling options as esbuild's own API takes them, which is faster than the
 * CDK's way by the command line. Another option must be translated here, too.
 */
export const esbuildOptions = (): BuildOptions => {
  const {
    esbuildArgs = {},
    externalModules,
    mainFields,
    format,
    target,
    minify,
    sourceMapMode,
    sourcesContent,
    // These are about the CDK: always `true`, and what runs before and after esbuild.
    bundleAwsSDK,
    sourceMap,
    commandHooks,
    ...others
  } = bundling;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined || !bundleAwsSDK || !sourceMap) {
    throw new Error(`The local run cannot bundle with this ${unknown ?? 'choice of options'}.`);
  }
  return {
    bundle: true,
    platform: 'node',
    alias: aliasesIn(esbuildArgs),
    ...(externalModules && { external: externalModules }),
    ...(mainFields && { mainFields }),
    ...(format && { format }),
    ...(target && { target }),
    ...(minify !== undefined && { minify }),
    ...(sourceMapMode && { sourcemap: sourceMapMode as BuildOptions['sourcemap'] }),
    ...(sourcesContent !== undefined && { sourcesContent }),
  };
};

/** Returns the aliases in arguments of the command line, such as `--alias:uuid`. */
const aliasesIn = (args: object): Record<string, string> => {
  const aliases = Object.entries(args).map(([argument, replacement]) => {
    if (!argument.startsWith('--alias:')) {
      throw new Error(`The local run cannot bundle with esbuild's ${argument}.`);
    }
    return [argument.slice('--alias:'.length), String(replacement)];
  });
  return Object.fromEntries(aliases);
};
