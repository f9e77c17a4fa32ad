import { expect, test } from '@jest/globals';
import { fakeAws } from '../../support/ops/fake-aws.ts';
import { ops } from '../../support/ops/ops.ts';
import { assembly } from '../../support/stack/assembly.ts';

/** Returns the commands that release wants to be run first, in prod. */
const commandsBefore = async (stack: { status: string; isProtected?: boolean }) => {
  const aws = await fakeAws();
  aws.stacks.set('prod-petstore-inventory', { ...stack, template: '{}' });
  const options = ['release', '--stage', 'prod', '--app', assembly];
  const { code, errors } = await ops(options, { env: aws.environment });
  const [commands = ''] =
    /(?<=Run these first:\n).*(?=\nnpx --no -- petstore release)/s.exec(errors) ?? [];
  return { code, commands: commands.split('\n') };
};

const firstCommands = [
  `npx cdk deploy --no-rollback 'prod/*' --app ${assembly}`,
  'export PETSTORE_PROD_API_KEY=$(npx --no -- petstore keys create --name release --stage prod)',
];
const unprotect =
  'aws cloudformation update-termination-protection --no-enable-termination-protection ' +
  '--region eu-west-1 --stack-name prod-petstore-inventory';

test.each([
  { status: 'REVIEW_IN_PROGRESS', isProtected: true, commands: firstCommands },
  { status: 'CREATE_FAILED', isProtected: true, commands: firstCommands },
  { status: 'ROLLBACK_COMPLETE', isProtected: false, commands: firstCommands },
  { status: 'ROLLBACK_COMPLETE', isProtected: true, commands: [unprotect, ...firstCommands] },
  { status: 'ROLLBACK_FAILED', isProtected: true, commands: [unprotect, ...firstCommands] },
])(
  'before a release of a stack in $status, protected: $isProtected, it is deployed anew',
  async ({ commands, ...stack }) => {
    expect(await commandsBefore(stack)).toEqual({ code: 6, commands });
  },
);
