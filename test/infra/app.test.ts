import { describe, expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { readAssembly } from '../support/synthesized.ts';

const { templates, bundles, violations } = readAssembly(assembly);

describe('cdk synth', () => {
  test('passes the checks of the AWS Solutions pack but for what is acknowledged with a reason', () => {
    expect(violations).toEqual([]);
  });

  test('puts no secret anywhere', () => {
    // A bundle and a map of each function.
    expect(Object.keys(bundles)).toHaveLength(6);
    const secret = /petstore_(staging|prod)_[0-9a-f]{48}|AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY/;
    for (const [name, text] of [...Object.entries(bundles), ...Object.entries(templates)]) {
      expect([name, secret.exec(typeof text === 'string' ? text : JSON.stringify(text))]).toEqual([name, null]);
    }
  });
});
