import { expect, test } from '@jest/globals';
import { readStack } from '../../../infra/assembly/resolved-stack.ts';
import { assemblyWith, changedTemplate } from '../../support/synthesized.ts';

test.each([
  [{ 'Fn::ImportValue': 'x' }, 'The template uses Fn::ImportValue, which the local run does not evaluate.'],
  [{ Ref: 'Nobody' }, 'The template refers to Nobody, which it does not define.'],
  [{ 'Fn::GetAtt': ['Nobody', 'Arn'] }, 'The local run has no attribute undefined.Arn.'],
])('a template with %j is rejected', (Value, message) => {
  const directory = assemblyWith(changedTemplate(({ Outputs }) => Object.assign(Outputs, { More: { Value } })));
  expect(() => readStack(directory, 'prod')).toThrow(message);
});
