/** How long API Gateway keeps an authorizer's answer, and so how long a revoked key may still work. */
export const authorizerCacheSeconds = 60;
