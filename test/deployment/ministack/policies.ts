import { readFileSync } from 'node:fs';
import type { Statement } from './account.ts';

/** Returns what a policy of infra/policies/ allows. */
export const allowedBy = (policy: string): Statement[] =>
  JSON.parse(readFileSync(`infra/policies/${policy}.json`, 'utf8')).Statement;
