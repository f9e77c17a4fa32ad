import { testConcurrency } from './concurrency.ts';

testConcurrency(600, 100);
