import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Program, runClient } from './program.ts';
import { exactPetIds, scriptedService } from './scripted-service.ts';

/**
 * Tests that a program, which takes PET_ID and QUANTITY and prints the updated entry, changes the
 * entry of this petId and no other. A conditional one sends the listed ETag and a key by itself.
 */
export const testRightPet = (
  name: string,
  prepare: () => Promise<Program>,
  { isConditional }: { isConditional: boolean },
): void =>
  describe(name, () => {
    let program: Program;
    beforeAll(async () => {
      program = await prepare();
    });

    test.each(exactPetIds)('changes the pet %s and no other', async (petId) => {
      const { baseUrl, paths, conditions, keys } = await scriptedService();
      const target = { baseUrl, apiKey: 'petstore_staging_secret' };
      const { code, output, errors } = await runClient(program, target, petId, '12');
      expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
      expect(output).toMatch(new RegExp(`"petId": ?${petId},`));
      const [condition, key] = isConditional ? ['"12-available"', 1] : [];
      expect({ paths: paths(), conditions: conditions(), keys: keys() }).toStrictEqual({
        paths: [`/v1/inventory/${petId}`],
        conditions: [condition],
        keys: [key],
      });
    });
  });
