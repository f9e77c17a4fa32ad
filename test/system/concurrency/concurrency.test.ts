import { testConcurrency } from './concurrency.ts';

testConcurrency(200, 50);
