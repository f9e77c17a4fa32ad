import { blocksOf, sectionOf, textOf } from '../../support/docs/markdown.ts';
import { allowedBy, type Person, startAccount } from './account.ts';
import { checkOut } from './checkout.ts';

/**
 * Starts an account without a stack, a checkout, and the people who work there with the permissions
 * of their policies.
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

/**
 * Returns the blocks of an operators' page: of a section one by its index, or else all, with their
 * placeholders replaced. npm would install all packages anew, and a person is asked before prod is changed.
 */
const blocksIn =
  (page: string) =>
  (heading: string, index?: number, values: Record<string, string> = {}): string => {
    const blocks = blocksOf(sectionOf(textOf(page), heading), 'sh');
    const block = index === undefined ? blocks.join('\n') : blocks[index];
    if (block === undefined) {
      throw new Error(`"${heading}" has no block ${index}.`);
    }
    const filled = Object.entries(values).reduce(
      (text, [placeholder, value]) => text.replaceAll(placeholder, value),
      block,
    );
    const confirmed = filled.replaceAll(
      /(petstore (inventory import|keys create) .*)/g,
      '$1 --yes',
    );
    return `set -e\nnpm() { [ "$1" = ci ] || command npm "$@"; }\n${confirmed}`;
  };

export const deploy = blocksIn('docs/deploy.md');
export const runbook = blocksIn('docs/runbook.md');

/** What the page on deployments writes of staging, for this URL of prod. */
export const ofProd = (BaseUrl = '') => ({
  'https://API_ID.execute-api.REGION.amazonaws.com/staging/v1': BaseUrl,
  staging: 'prod',
});

/** Deploys prod for the first time, and gives it stock and a key, in `~/prod-key`. */
export const deployFirst = async (
  administrator: Person,
  stock = 'ops/sample-inventory.csv',
): Promise<void> => {
  const values = { ...ofProd(), 'ops/sample-inventory.csv': stock };
  for (const index of [0, 1, 2]) {
    await administrator.run(deploy('First deployment', index, values));
  }
};

/** Returns how a person sees prod's stock: in CSV, whose lines have no order. */
export const stockOf = async (person: Person): Promise<string[]> => {
  const exported = await person.run('npx --no -- petstore inventory export --stage prod');
  return exported.trim().split('\n').toSorted();
};

/** Returns the commits that have been deployed to prod. */
export const commitsOf = async (person: Person): Promise<(string | undefined)[]> => {
  const printed = await person.run(runbook('Undo a deployment', 0));
  return printed
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[1]);
};
