import { jest, test } from '@jest/globals';
import { expectSameSignatures } from '../../support/differential-signature.ts';

test('requests are signed as the SDK signs them', async () => {
  const clock = jest.spyOn(Date, 'now');
  await expectSameSignatures(200, (time) => clock.mockReturnValue(time.getTime()));
  clock.mockRestore();
});
