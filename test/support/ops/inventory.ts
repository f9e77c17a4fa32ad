import { opsStage } from './stage.ts';

export { onProd } from './stage.ts';

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
    /** Returns every entry, ordered by petId: as JSON if it has more than it should. */
    entries: async () => {
      const { Items = [] } = await stage.client.scan(table());
      return Items.sort((a, b) => Number(a.petId?.N) - Number(b.petId?.N)).map(
        ({ petId, quantity = { N: '-' }, status = { S: '-' }, ...others }) =>
          quantity.N && status.S && Object.keys(others).length === 0
            ? [petId?.N, quantity.N, status.S].join(',')
            : JSON.stringify({ petId, quantity, status, ...others }),
      );
    },
  });
};
