import { expect, jest, test } from '@jest/globals';
import { parseName, parseNewExpiry } from '../../../ops/keys/arguments.ts';
import { ops } from '../../support/ops.ts';

const now = Date.UTC(2027, 0, 15, 8) / 1000;

test.each([
  ['45m', now + 45 * 60],
  ['36h', now + 36 * 3_600],
  ['90d', now + 90 * 86_400],
  ['2027-01-15T08:00:01Z', now + 1],
  ['2999-01-31', Date.UTC(2999, 0, 31) / 1000],
  ['2999-01-31T12:00+02:00', Date.UTC(2999, 0, 31, 10) / 1000],
  ['never', Infinity],
])('an end may be %s', (text, end) => {
  jest.spyOn(Date, 'now').mockReturnValueOnce(now * 1000);
  expect(parseNewExpiry(text)).toBe(end);
});

test('a name is trimmed', () => expect(parseName(` ${'x'.repeat(64)} `)).toBe('x'.repeat(64)));

const format = 'Write a duration as 24h or 90d, a date as 2027-01-31, or 2027-01-31T12:00:00Z.';
const name = 'It must have 1 to 64 letters, digits, symbols or spaces, on one line.';

test.each([
  ['create', '--expires', '2026-01-15T08:00:00Z', 'It must be in the future.'],
  ['create', '--expires', 'never', format],
  ['update', '--expires', 'tomorrow', format],
  ['update', '--expires', '2999-02-29', format],
  ['rotate', '--expires', '2999-04-30T25:00Z', format],
  ['rotate', '--overlap', '0d', 'Write a duration as 30m, 24h or 90d.'],
  ['create', '--name', ' ', name],
  ['create', '--name', 'two\nlines', name],
  ['update', '--name', '\u001b[31mred', name],
  ['update', '--name', 'x'.repeat(65), name],
])('%s %s %j is wrong usage', async (command, option, value, reason) => {
  const { code, output, errors } = await ops(['keys', command, option, value, '--local']);
  expect({ code, output }).toEqual({ code: 2, output: '' });
  expect(errors).toContain(`petstore: option '${option} <`);
  expect(errors).toContain(`argument '${value}' is invalid. ${reason}\nHelp: npx petstore keys ${command} --help\n`);
});
