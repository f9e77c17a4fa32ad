// Every check of a service, in one file, so that no two of them run at the same time. Each response
// is also checked against openapi.yaml.
import './list-inventory.ts';
import './update-inventory.ts';
import './conditional-updates.ts';
import './receipts.ts';
import './read-only-key.ts';
import './authorization.ts';
import './fallback-routes.ts';
import './unchanged.ts';
import './each-operation.ts';
