/** Where the local run says that it is. It needs no account. */
export const accountId = '000000000000';
export const region = 'us-east-1';

/** Placeholder credentials: local engines accept any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/**
 * What a client of the AWS SDK needs for an endpoint on this machine. It refuses one if the
 * environment or the profile asks for AWS's own kinds of endpoints.
 */
export const localClient = {
  region,
  credentials: localCredentials,
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
};
