import type { LocalRun } from './local-run.ts';

/** The entries of the run's table in CSV, as the API lists them. */
export const inventoryCsv = async (run: LocalRun): Promise<string> => {
  const { body } = await run.send({ path: '/inventory' });
  const items = body as { petId: bigint; quantity: bigint; status: string }[];
  const rows = items
    .toSorted((a, b) => (a.petId < b.petId ? -1 : 1))
    .map(({ petId, quantity, status }) => `${petId},${quantity},${status}\n`);
  return `petId,quantity,status\n${rows.join('')}`;
};
