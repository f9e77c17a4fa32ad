import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readTemplate } from '../../../local/assembly/template.ts';

test('a template is read in a directory whose name looks like a pattern', () => {
  const assembly = mkdtempSync(join(tmpdir(), 'job [7] {a,b}'));
  mkdirSync(join(assembly, 'assembly-staging'));
  const file = join(assembly, 'assembly-staging/stack.template.json');
  writeFileSync(file, '{"Resources":{},"Outputs":{"BaseUrl":{"Value":"https://api.example"}}}');
  expect(readTemplate(assembly, 'staging').output('BaseUrl')).toBe('https://api.example');
  expect(() => readTemplate(assembly, 'prod')).toThrow(
    `${assembly} holds no synthesized stage prod.`,
  );
});
