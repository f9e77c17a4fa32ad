/** Where the local run says that it is. It needs no account. */
export const accountId = '000000000000';
export const region = 'us-east-1';

/** Placeholder credentials: local engines accept any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };
