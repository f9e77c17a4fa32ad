import { describe, expect, test } from '@jest/globals';
import { assembly } from '../support/assembly.ts';
import { readAssembly, synthesizeElsewhere } from '../support/synthesized.ts';

const { templates, bundles, output } = synthesizeElsewhere();

describe('cdk synth', () => {
  test('has nothing to warn of, and needs neither credentials nor Docker', () => {
    expect(output).not.toMatch(/warning|deprecated|docker/i);
    expect(Object.keys(templates).sort()).toEqual(['prod', 'staging']);
  });

  test('gives the same bytes wherever the checkout and its output lie', () => {
    // A bundle and a map of each function.
    expect(Object.keys(bundles)).toHaveLength(6);
    expect(readAssembly(assembly)).toMatchObject({ templates, bundles });
  });
});
