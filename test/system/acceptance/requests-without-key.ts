import { rejectedRequestsWithoutKey } from './api-key.ts';
import { fallbackRequestsWithoutKey } from './fallback-routes.ts';

/** How many requests one run of the suite sends whose Authorization header holds no well-formed key, read-only or not. */
export const requestsWithoutKey = rejectedRequestsWithoutKey + fallbackRequestsWithoutKey;
