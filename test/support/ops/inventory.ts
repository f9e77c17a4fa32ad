import { opsStage } from './stage.ts';

export { onLocal, onProd } from './stage.ts';

/** Returns a file as CSV with these entries, each as `1,7,sold`. */
export const csv = (...entries: string[]): string =>
  ['petId,quantity,status', ...entries, ''].join('\n');

/**
 * Returns a stage for the commands of `inventory`. A test writes an entry as `1,7,sold`, its petId
 * first; `-` stands for a member that it lacks.
 */
export const inventoryStage = () => {
  const stage = opsStage('inventory');
  const table = () => ({ TableName: stage.tables.inventory });
  return Object.assign(stage, {
    put: async (...entries: string[]) => {
      for (const entry of entries) {
        const [petId = '', quantity = '-', status = '-'] = entry.split(',');
        await stage.client.putItem({
          ...table(),
          Item: {
            petId: { N: petId },
            ...(quantity !== '-' && { quantity: { N: quantity } }),
            ...(status !== '-' && { status: { S: status } }),
          },
        });
      }
    },
    remove: (petId: string) =>
      stage.client.deleteItem({ ...table(), Key: { petId: { N: petId } } }),
    /** Returns every entry, ordered by petId. */
    entries: async () => {
      const { Items = [] } = await stage.client.scan(table());
      return Items.sort((a, b) =>
        BigInt(a.petId?.N ?? '') < BigInt(b.petId?.N ?? '') ? -1 : 1,
      ).map(({ petId, quantity, status }) =>
        [petId?.N, quantity?.N ?? '-', status?.S ?? '-'].join(','),
      );
    },
  });
};
