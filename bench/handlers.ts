import { join } from 'node:path';
import type { Template } from '../local/assembly/template.ts';
import { localCredentials, region } from '../local/shared/account.ts';
import { bundleBaseline } from './bundle-baseline.ts';
import { authorizerEvent, checkPatched, checkPolicy, patchEvent } from './events.ts';

/** What `npm run bench` measures: a bundle, and the event that its `handler` gets. */
export interface Handler {
  name: string;
  bundle: string;
  /** All of the environment variables of its process. */
  environment: Record<string, string>;
  event: object;
  /** Throws unless the handler's result is the only correct one. */
  check(result: unknown): void;
}

interface HandlersProps {
  template: Template;
  /** The URL of a DynamoDB engine with the tables of the template. */
  endpoint: string;
  /** An API key that the tables hold. */
  apiKey: string;
  /** Where the bundles of the baselines go. */
  directory: string;
}

/** Returns the PATCH handler of this service and its authorizer, and other ways to write the PATCH. */
export const handlersOf = (props: HandlersProps) => {
  const { apiKey, directory } = props;
  const update: Handler = {
    ...deployed('UpdateInventory', props),
    name: 'this service',
    event: patchEvent,
    check: checkPatched,
  };
  const baseline = (name: string, bundle: string): Handler => ({ ...update, name, bundle });
  return {
    update,
    bareSdk: baseline('bare SDK, bundled as ESM', bundleBaseline('bare-sdk', directory)),
    /** Their packages are those of bench/package.json. */
    peers: () => [
      baseline(
        "bare SDK, the CDK's default bundling",
        bundleBaseline('bare-sdk', directory, 'cdkDefault'),
      ),
      baseline('Powertools with middy', bundleBaseline('powertools', directory)),
      baseline('Hono, its aws-lambda adapter', bundleBaseline('hono', directory)),
    ],
    authorizer: {
      ...deployed('Authorizer', props),
      name: "this service's authorizer",
      event: authorizerEvent(apiKey),
      check: checkPolicy,
    } satisfies Handler,
  };
};

interface FunctionProperties {
  Code: { S3Key: string };
  Environment: { Variables: Record<string, string> };
}

/** Returns the bundle of a function as it would be deployed, and its process's environment. */
const deployed = (constructId: string, { template, endpoint }: HandlersProps) => {
  const functions = template.resources<FunctionProperties>('AWS::Lambda::Function');
  const [, properties] = [...functions].find(([id]) => id.startsWith(constructId)) ?? [];
  if (properties === undefined) {
    throw new Error(`The stack has no function ${constructId}.`);
  }
  const taskRoot = template.assetDirectory(properties.Code.S3Key);
  return {
    bundle: join(taskRoot, 'index.js'),
    environment: {
      ...properties.Environment.Variables,
      PATH: process.env.PATH ?? '',
      TZ: ':UTC',
      // On Lambda, too, bundles without the SDK find it through NODE_PATH.
      NODE_PATH: join(import.meta.dirname, '../node_modules'),
      LAMBDA_TASK_ROOT: taskRoot,
      AWS_LAMBDA_FUNCTION_NAME: constructId,
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
      AWS_SESSION_TOKEN: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  };
};
