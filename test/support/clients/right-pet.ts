import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, runClient } from './program.ts';
import { exactPetIds, scriptedService } from './scripted-service.ts';

/**
 * Tests that a program, which takes PET_ID and QUANTITY and prints the updated entry, changes the
 * entry of this petId and no other.
 */
export const testRightPet = (name: string, prepare: () => Promise<Program>): void =>
  describe(name, () => {
    let program: Program;
    beforeAll(async () => {
      program = await prepare();
    });

    test.each(exactPetIds)('changes the pet %s and no other', async (petId) => {
      const { baseUrl, paths } = await scriptedService();
      const target = { baseUrl, apiKey: 'petstore_staging_secret' };
      const { code, output, errors } = await runClient(program, target, petId, '12');
      expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
      expect(output).toMatch(new RegExp(`"petId": ?${petId},`));
      expect(paths()).toStrictEqual([`/v1/inventory/${petId}`]);
    });
  });
