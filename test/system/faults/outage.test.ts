import { testOutage } from './outage.ts';

testOutage(20);
