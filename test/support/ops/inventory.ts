import { opsStage } from './stage.ts';

export { onLocal, onProd } from './stage.ts';

/** Returns a file as CSV with these entries, each as `1,7,sold`. */
export const csv = (...entries: string[]): string =>
  ['petId,quantity,status', ...entries, ''].join('\n');

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
    /** Does something before the first write of a kind arrives, as somebody else could. */
    beforeFirst: (write: 'UpdateItem' | 'DeleteItem', work: () => Promise<unknown>) => {
      let isFirst = true;
      stage.react = async ({ operation, forward }) => {
        if (operation === write && isFirst) {
          isFirst = false;
          await work();
        }
        return forward();
      };
    },
    /**
     * Loses the response to the first write of a kind, which is applied, and does something before
     * the SDK sends it again. Returns a function that counts these writes.
     */
    loseFirst: (write: 'UpdateItem' | 'DeleteItem', work?: () => Promise<unknown>) => {
      let count = 0;
      stage.react = async ({ operation, forward }) => {
        const response = await forward();
        count += operation === write ? 1 : 0;
        if (operation !== write || count > 1) {
          return response;
        }
        await work?.();
        return undefined;
      };
      return () => count;
    },
  });
};
