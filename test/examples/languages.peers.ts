import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testExample } from '../support/local/example.ts';
import {
  cache,
  javaClassPath,
  npmPrograms,
  outputOf,
  project,
  pythonPrograms,
} from '../support/process/tools.ts';

testExample(
  'the curl example',
  async () => {
    await outputOf('curl', '--version');
    return ['sh', 'examples/curl/set-quantity.sh'];
  },
  false,
);

testExample('the JavaScript example on Node 18', async () => {
  await npmPrograms('examples/javascript');
  return [join(await npmPrograms('test/examples'), 'node'), 'examples/javascript/set-quantity.js'];
});

testExample('the JavaScript example on Node 24', async () => {
  await npmPrograms('examples/javascript');
  return [process.execPath, 'examples/javascript/set-quantity.js'];
});

testExample('the Python example', async () => [
  join(await pythonPrograms('examples/python'), 'python'),
  'examples/python/set_quantity.py',
]);

testExample('the Go example', async () => {
  const program = join(cache, 'examples/go/set-quantity');
  await outputOf('go', '-C', join(project, 'examples/go'), 'build', '-o', program, '.');
  return [program];
});

testExample('the Java example', async () => {
  const [classes, classPath] = [
    join(cache, 'examples/java/classes'),
    await javaClassPath('examples/java'),
  ];
  await outputOf('javac', '-d', classes, '-cp', classPath, 'examples/java/SetQuantity.java');
  return ['java', '-cp', `${classes}:${classPath}`, 'SetQuantity'];
});

test('the TypeScript example compiles with the types generated from openapi.yaml, with int64 as bigint', async () => {
  const programs = await npmPrograms('examples/typescript');
  await outputOf(process.execPath, 'examples/typescript/generate-types.js');
  const options =
    '--noEmit --strict --target esnext --module nodenext --allowImportingTsExtensions'.split(' ');
  expect(
    await outputOf(join(programs, 'tsc'), ...options, 'examples/typescript/set-quantity.ts'),
  ).toBe('');
});
