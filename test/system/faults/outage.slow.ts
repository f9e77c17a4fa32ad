import { testOutage } from './outage.ts';

// Enough for an instance to use up the retries that the SDK allows it.
testOutage(300);
