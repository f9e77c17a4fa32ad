import { opsStage } from './stage.ts';

export { onLocal, onProd } from './stage.ts';

/** An entry as `1,7,sold`, petId first; `-` stands for a member that it lacks. */
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
    /** Returns every entry, ordered by petId. */
    entries: async () => {
      const { Items = [] } = await stage.client.scan(table());
      return Items.sort((a, b) => Number(a.petId?.N) - Number(b.petId?.N)).map(
        ({ petId, quantity, status }) => [petId?.N, quantity?.N ?? '-', status?.S ?? '-'].join(','),
      );
    },
  });
};
