import { isWellFormedApiKey } from '../../functions/keys/api-key.ts';

/** What the variables of `npm run acceptance` say. */
export interface Settings {
  /** Ends in `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** The stage whose key it is. */
  stageName: string;
  /** Whether to send only requests that change nothing on a correct service. */
  readOnly: boolean;
  /** What the key may do. The suite expects exactly that. */
  keyMayWrite: boolean;
}

/** The one variable that lets a run change quantities of prod. */
export const mayWriteToProd = 'ACCEPTANCE_MAY_WRITE_TO_PROD';

/** Only requests to this machine may be in plain text, because each holds the key. */
const baseUrls =
  /^(https:\/\/[\w.-]+|http:\/\/(127\.0\.0\.1|localhost|\[::1\]))(:\d+)?(\/[\w-]+)?\/v1$/;

/**
 * Reads the variables. With a key of prod, a run only reads, whatever READ_ONLY says.
 * @throws Error of one sentence, which repeats no value: that of any variable may be a key by
 * mistake
 */
export const readSettings = (env: NodeJS.ProcessEnv): Settings => {
  const baseUrl = (env.PETSTORE_BASE_URL ?? '').trim().replace(/\/$/, '');
  if (!baseUrls.test(baseUrl)) {
    throw new Error(
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
        'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
    );
  }
  // Without what a file or a clipboard adds to it.
  const apiKey = (env.PETSTORE_API_KEY ?? '').trim().replace(/^Bearer\s+/i, '');
  const [, stageName = ''] = /^petstore_([a-z0-9-]+)_/.exec(apiKey) ?? [];
  if (!isWellFormedApiKey(apiKey, stageName)) {
    throw new Error(
      'PETSTORE_API_KEY must be an API key as `petstore keys create` has printed it: ' +
        (apiKey === '' ? 'it is missing.' : 'its form or its checksum is wrong.'),
    );
  }
  const readOnly = choice(env, 'READ_ONLY', ['false', 'true']) === 'true';
  const keyMayWrite = choice(env, 'KEY_ACCESS', ['write', 'read']) === 'write';
  const isProtected = stageName === 'prod' && choice(env, mayWriteToProd, ['no', 'yes']) === 'no';
  return { baseUrl, apiKey, stageName, readOnly: readOnly || isProtected, keyMayWrite };
};

/** Reads a variable with two values. The first is that of a variable that is not set. */
const choice = (env: NodeJS.ProcessEnv, name: string, values: [string, string]): string => {
  const value = env[name] ?? values[0];
  if (!values.includes(value)) {
    throw new Error(`${name} must be ${values.join(' or ')}, or not be set.`);
  }
  return value;
};
