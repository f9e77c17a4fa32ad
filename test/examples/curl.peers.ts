import { testSafeUpdates } from '../support/clients/safe-updates.ts';

testSafeUpdates(async () => ['sh', 'examples/curl/set-quantity.sh']);
