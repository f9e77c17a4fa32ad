import { test } from '@jest/globals';

test('with a second file, Jest starts workers', () => {});
