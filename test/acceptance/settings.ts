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

/**
 * A variable that is missing or wrong. The message is one sentence and repeats no value, since the
 * value of any variable may be a key by mistake.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The one variable that lets a run change quantities of prod. */
export const mayWriteToProd = 'ACCEPTANCE_MAY_WRITE_TO_PROD';

/**
 * Reads the variables. With a key of prod, a run only reads, whatever READ_ONLY says.
 * @throws SettingsError
 */
export const readSettings = (env: NodeJS.ProcessEnv): Settings => {
  const baseUrl = readBaseUrl(env.PETSTORE_BASE_URL);
  const { apiKey, stageName } = readApiKey(env.PETSTORE_API_KEY);
  const stageOfUrl = stageIn(baseUrl);
  if (stageOfUrl !== undefined && stageOfUrl !== stageName) {
    throw new SettingsError(
      `PETSTORE_API_KEY holds a key of ${stageName}, but PETSTORE_BASE_URL is of ${stageOfUrl}.`,
    );
  }
  const readOnly = choice(env, { name: 'READ_ONLY', values: ['false', 'true'] });
  const keyAccess = choice(env, { name: 'KEY_ACCESS', values: ['write', 'read'] });
  const prod = choice(env, { name: mayWriteToProd, values: ['no', 'yes'] });
  return {
    baseUrl,
    apiKey,
    stageName,
    readOnly: readOnly === 'true' || (stageName === 'prod' && prod !== 'yes'),
    keyMayWrite: keyAccess === 'write',
  };
};

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Reads a base URL, and leaves a final slash out. */
const readBaseUrl = (text = ''): string => {
  const baseUrl = text.trim().replace(/\/$/, '');
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.includes(url.hostname));
  const hasMore = /[?#@]/.test(baseUrl);
  if (!isSafe || hasMore || !url.pathname.endsWith('/v1')) {
    throw new SettingsError(
      'PETSTORE_BASE_URL must be the base URL that the deployment or the local run has printed: ' +
        'it begins with https:// (on this machine, http:// will do) and ends in /v1.',
    );
  }
  return baseUrl;
};

/** Returns the stage that a base URL names; undefined if it has a domain name of the stage's own. */
const stageIn = (baseUrl: string): string | undefined =>
  /^\/([\w-]+)\/v1$/.exec(new URL(baseUrl).pathname)?.[1];

/** Reads a key as a file, a pipe or the header of a request may have left it. */
const readApiKey = (text = ''): { apiKey: string; stageName: string } => {
  // This also trims a byte order mark.
  const apiKey = text.trim().replace(/^Bearer\s+/i, '');
  const [, stageName = ''] = /^petstore_([a-z0-9-]+)_/.exec(apiKey) ?? [];
  if (!isWellFormedApiKey(apiKey, stageName)) {
    throw new SettingsError(
      'PETSTORE_API_KEY must be an API key as `petstore keys create` has printed it: ' +
        (apiKey === '' ? 'it is missing.' : 'its form or its checksum is wrong.'),
    );
  }
  return { apiKey, stageName };
};

interface Choice {
  name: string;
  /** The allowed values. The first is the one of a variable that is not set. */
  values: [string, string];
}

const choice = (env: NodeJS.ProcessEnv, { name, values }: Choice): string => {
  const value = env[name] ?? values[0];
  if (!values.includes(value)) {
    throw new SettingsError(`${name} must be ${values.join(' or ')}, or not be set.`);
  }
  return value;
};
