import { expect, test } from '@jest/globals';
import { toJson } from '../../../functions/shared/json.ts';

test('toJson writes all digits of a bigint, and everything else as JSON.stringify does', () => {
  expect(toJson({ a: [9223372036854775807n, -1n], b: '1n', c: 1.5 })).toBe(
    '{"a":[9223372036854775807,-1],"b":"1n","c":1.5}',
  );
});
