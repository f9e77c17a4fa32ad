import { expect, test } from '@jest/globals';
import { runProgram } from '../support/process/tools.ts';

test('npm run charts would change nothing: charts and tables show the results', async () => {
  const rendered = await runProgram(process.execPath, ['bench/charts/render.ts', '--check']);
  expect(rendered).toEqual({ code: 0, output: '', errors: '' });
});
