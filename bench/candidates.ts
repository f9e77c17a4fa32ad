import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import type { SynthesizedStack } from '../infra/assembly/resolved-stack.ts';
import { bundle, cdkDefault, esm, ours, stockSdk } from './bundles.ts';
import { authorizerEvent, patchEvent } from './events.ts';
import type { Subject } from './measure.ts';

interface Baseline {
  name: string;
  /** The file to bundle, relative to bench/. */
  source: string;
  options: BuildOptions;
}

/** What `npm run bench` compares this service with. */
const baselines = {
  stockSdk: {
    name: 'this service on the stock SDK',
    source: '../functions/update-inventory.ts',
    options: stockSdk,
  },
  cdkDefault: {
    name: "bare SDK handler, CDK's default bundling",
    source: 'baselines/bare-sdk.ts',
    options: cdkDefault,
  },
  esm: {
    name: 'bare SDK handler, bundled as ESM',
    source: 'baselines/bare-sdk.ts',
    options: esm,
  },
  express: {
    name: 'Express, @codegenie/serverless-express',
    source: 'baselines/express.ts',
    options: esm,
  },
  hono: {
    name: 'Hono, its aws-lambda adapter',
    source: 'baselines/hono.ts',
    options: esm,
  },
  powertools: {
    name: 'Powertools: logger, metrics, tracer',
    source: 'baselines/powertools.ts',
    options: esm,
  },
  floor: {
    name: 'floor: HTTP and a signature by hand',
    source: 'baselines/floor.ts',
    options: ours,
  },
} satisfies Record<string, Baseline>;

type BaselineId = keyof typeof baselines;

export interface Candidate extends Subject {
  name: string;
}

/** The URL of the local DynamoDB engine, and an API key that its tables hold. */
export interface Engine {
  endpoint: string;
  apiKey: string;
}

interface FunctionProperties {
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

/**
 * Returns the directory of the bundle that would be deployed for a function, and the function's
 * environment.
 */
export const functionOf = (stack: SynthesizedStack, constructId: string) => {
  const functions = stack.resources<FunctionProperties>('AWS::Lambda::Function');
  const [, properties] =
    [...functions].find(([logicalId]) => logicalId.startsWith(constructId)) ?? [];
  if (!properties) {
    throw new Error(`The stack has no function ${constructId}.`);
  }
  return {
    taskRoot: stack.assetDirectory(properties.Code.S3Key),
    environment: properties.Environment.Variables,
  };
};

/** Returns a function as a subject, with all environment variables that its process needs. */
const subjectOf = (stack: SynthesizedStack, constructId: string, engine: Engine) => {
  const { taskRoot, environment: variables } = functionOf(stack, constructId);
  const environment = {
    ...variables,
    PATH: process.env.PATH ?? '',
    TZ: ':UTC',
    // On Lambda, too, bundles without the SDK find it through NODE_PATH.
    NODE_PATH: join(import.meta.dirname, '../node_modules'),
    LAMBDA_TASK_ROOT: taskRoot,
    AWS_LAMBDA_FUNCTION_NAME: constructId,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: stack.account.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    _X_AMZN_TRACE_ID: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
  };
  return { bundle: join(taskRoot, 'index.js'), environment };
};

/** Returns everything that `npm run bench` measures. */
export const candidatesOf = async (stack: SynthesizedStack, engine: Engine, directory: string) => {
  const update = {
    ...subjectOf(stack, 'UpdateInventory', engine),
    name: 'this service',
    event: patchEvent,
  };
  const authorizer = {
    ...subjectOf(stack, 'Authorizer', engine),
    name: 'its authorizer',
    event: authorizerEvent(engine.apiKey),
  };
  const bundled = Object.entries(baselines).map(async ([id, { name, source, options }]) => {
    const path = await bundle(source, options, join(directory, `baseline-${id}`));
    return [id, { ...update, name, bundle: path }];
  });
  const compared: Record<BaselineId, Candidate> = Object.fromEntries(await Promise.all(bundled));
  return { update, authorizer, baselines: compared };
};
