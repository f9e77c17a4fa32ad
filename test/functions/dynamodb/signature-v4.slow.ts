import { jest, test } from '@jest/globals';
import { expectSameSignatures } from '../../support/differential-signature.ts';

test('requests are signed as the SDK signs them, many of them', async () => {
  const clock = jest.spyOn(Date, 'now');
  await expectSameSignatures(4_000, (time) => clock.mockReturnValue(time.getTime()));
  clock.mockRestore();
});
