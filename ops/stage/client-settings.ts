const requestHandler = { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** Of every AWS client. The SDK's own default is to wait for ever. */
export const clientSettings = { requestHandler };

/** How many entries an import writes at once. */
export const writesAtOnce = 64;

const agent = { maxSockets: writesAtOnce };

/**
 * Of the inventory's client: a connection for each write, and the SDK's steps put together once for all of them, which
 * saves a tenth of the CPU. Clients of lib-dynamodb reject `cacheMiddleware`.
 */
export const inventorySettings = {
  requestHandler: { ...requestHandler, httpAgent: agent, httpsAgent: agent },
  cacheMiddleware: true,
};
