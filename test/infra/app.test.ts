import { describe, expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { readAssembly, synthesizeElsewhere } from '../support/synthesized.ts';

const synthesis = synthesizeElsewhere();
const { templates, bundles } = synthesis;

describe('cdk synth', () => {
  test('has nothing to warn of, and needs neither credentials nor Docker', () => {
    expect(synthesis.output).not.toMatch(/warning|deprecated|docker/i);
    expect(Object.keys(templates).sort()).toEqual(['prod', 'staging']);
  });

  test('passes the checks of the AWS Solutions pack but for what is acknowledged with a reason', () => {
    expect(synthesis.violations).toEqual([]);
  });

  test('gives the same bytes wherever the checkout and its output lie', () => {
    // A bundle and a map of each function.
    expect(Object.keys(bundles)).toHaveLength(6);
    expect(readAssembly(assembly)).toMatchObject({ templates, bundles });
  });

  test('puts no secret anywhere', () => {
    const secret = /petstore_(staging|prod)_[0-9a-f]{48}|AKIA[0-9A-Z]{16}|BEGIN [A-Z ]*PRIVATE KEY/;
    for (const [name, text] of [...Object.entries(bundles), ...Object.entries(templates)]) {
      expect([name, secret.exec(typeof text === 'string' ? text : JSON.stringify(text))]).toEqual([name, null]);
    }
  });
});
