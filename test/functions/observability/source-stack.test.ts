import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { mapStack } from '../../../functions/observability/source-stack.ts';
import { temporaryDirectory } from '../../support/local-run.ts';

/** Of which line 12 is lines 3 and 4 of a source, from columns 1 and 9. */
const bundle = join(temporaryDirectory, 'index.js');
const map = {
  version: 3,
  sources: ['../../asset-input/functions/inventory/inventory-table.ts'],
  names: [],
  mappings: `${';'.repeat(11)}AAEA,QACA`,
};
writeFileSync(`${bundle}.map`, JSON.stringify(map));
const mapless = join(temporaryDirectory, 'mapless.js');

const errorAt = (positions: string[], cause?: unknown) => {
  const error = new Error('no', { cause });
  error.stack = ['Error: no', ...positions.map((position) => `    at f (${position})`)].join('\n');
  return error;
};
const stackOf = (error: unknown) => (error as Error).stack?.match(/(?<=\().*(?=\))/g);

describe('the stack of an error', () => {
  test('has positions in the sources, where a map knows them', () => {
    const error = errorAt([`${bundle}:12:1`, `${bundle}:12:11`, `${bundle}:2:1`, `${mapless}:12:1`, 'node:fs:12:1']);
    expect(mapStack(error)).toBe(error);
    expect(stackOf(error)).toEqual([
      'functions/inventory/inventory-table.ts:3:1',
      'functions/inventory/inventory-table.ts:4:3',
      `${bundle}:2:1`,
      `${mapless}:12:1`,
      'node:fs:12:1',
    ]);
  });

  test('has them for all of its causes', () => {
    const root = errorAt([`${bundle}:12:1`]);
    const error = errorAt([`${bundle}:12:9`], errorAt([`${mapless}:1:1`], root));
    mapStack(error);
    expect([stackOf(error), stackOf(error.cause), stackOf(root)]).toEqual([
      ['functions/inventory/inventory-table.ts:4:1'],
      [`${mapless}:1:1`],
      ['functions/inventory/inventory-table.ts:3:1'],
    ]);
  });

  test('may be missing', () => {
    const stackless = new Error('no', { cause: 'a string' });
    delete stackless.stack;
    for (const value of [undefined, null, 'a string', { stack: 1 }, stackless]) {
      expect(mapStack(value)).toBe(value);
    }
  });
});
