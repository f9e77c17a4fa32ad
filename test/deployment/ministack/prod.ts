import { blocksOf, sectionOf, textOf } from '../../support/docs/markdown.ts';
import { type Person, startAccount } from './account.ts';
import { checkOut } from './checkout.ts';
import { allowedBy } from './policies.ts';
import { deployedStage } from './stage.ts';

const petstore = 'npx --no -- petstore';
const ofStack = '--stack-name prod-petstore-inventory';

export const setStackPolicy =
  `aws cloudformation set-stack-policy ${ofStack} ` +
  '--stack-policy-body file://infra/stack-policy.json';

/**
 * Starts an account without a stack, a checkout, and the people who work there with the permissions of
 * their policies. What they run for prod is in the operators' pages.
 */
export const prodAccount = async () => {
  const checkout = checkOut();
  const { administrator, user } = await startAccount(checkout.directory);
  const deployer = await user('deployer', allowedBy('prod-deployer'));
  const operator = await user('operator', allowedBy('prod-operator'));
  const recoverer = await user('recoverer', ['prod-operator', 'prod-recoverer'].flatMap(allowedBy));
  // Where a page fetches commits, and pushes one.
  await administrator.run('git remote add origin .');
  return { checkout, administrator, deployer, operator, recoverer };
};

/** Sets prod up after its first deployment, as docs/deploy.md says. Returns the key of releases. */
export const setUp = async (administrator: Person, operator: Person): Promise<string> => {
  await administrator.run(setStackPolicy);
  await operator.run(`${petstore} inventory import ops/sample-inventory.csv --stage prod --yes`);
  const key = await operator.run(`${petstore} keys create --name release --stage prod --yes`);
  return key.trim();
};

/**
 * Returns a block of a section of the runbook, by its index, with its placeholders replaced. npm would
 * install all packages anew, and a person is asked before an import changes prod.
 */
export const blockOf = (
  heading: string,
  index: number,
  values: Record<string, string> = {},
): string => {
  const block = blocksOf(sectionOf(textOf('docs/runbook.md'), heading), 'sh')[index];
  if (block === undefined) {
    throw new Error(`"${heading}" has no block ${index}.`);
  }
  const filled = Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    block.replaceAll(/(petstore inventory import .*--stage prod)\b/g, '$1 --yes'),
  );
  return `set -e\nnpm() { [ "$1" = ci ] || command npm "$@"; }\n${filled}`;
};

/** Returns how a person sees prod's stock: in CSV, whose lines have no order. */
export const stockOf = async (person: Person): Promise<string[]> =>
  (await person.run(`${petstore} inventory export --stage prod`)).trim().split('\n').toSorted();

/** Returns the commits that have been deployed to prod. */
export const commitsOf = async (person: Person): Promise<(string | undefined)[]> =>
  (await person.run(blockOf('Undo a deployment', 0)))
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[1]);

export const prodOf = (administrator: Person) => deployedStage(administrator, 'prod');
