/** Of every AWS client. The SDK's own default is to wait for ever. */
export const clientSettings = {
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
};
