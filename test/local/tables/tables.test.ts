import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { startEngine } from '../../../local/tables/tables.ts';
import { startPets } from '../../support/local/pets.ts';

const outside = process.env;
afterEach(() => {
  process.env = outside;
});

test.each(['use_fips_endpoint', 'use_dualstack_endpoint'])(
  'the tables work for a user whose profile has set %s',
  async (setting) => {
    const file = join(process.env.TEST_RUN_DIRECTORY ?? '', `${randomUUID()}.config`);
    writeFileSync(file, `[default]\n${setting} = true\n`);
    process.env = { ...outside, AWS_CONFIG_FILE: file, [`AWS_${setting.toUpperCase()}`]: 'true' };
    const { put, ids } = await startPets();
    await put('a');
    expect(await ids()).toStrictEqual(['a']);
  },
);

test('another engine is used as it is, if the environment names one', async () => {
  process.env = { ...outside, PETSTORE_DYNAMODB_URL: 'http://localhost:8000' };
  expect((await startEngine()).endpoint).toBe('http://localhost:8000');
});
