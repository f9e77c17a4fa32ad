// Every check of a release, in one file, so that no two of them run at the same time. Each response is
// also checked against openapi.yaml. In staging, they change the stock of two pets, and leave it so; in
// prod, they send only lists, and updates that are refused.
import './list-inventory.ts';
import './update-inventory.ts';
import './conditional-updates.ts';
import './receipts.ts';
import './seller.ts';
import './authorization.ts';
import './fallback-routes.ts';
