import { createTables, startEngine } from '../../../local/tables/tables.ts';
import { template } from '../http/serve-api.ts';

/** Opens the tables of a data directory that no run uses. */
export const tablesIn = async (dataDirectory: string) => {
  const { endpoint, close } = await startEngine({ dataDirectory });
  const client = await createTables(template, endpoint);
  const table = (name: string) => ({
    client,
    TableName: template.output(`${name}TableName`),
  });
  const { TableName } = table('Inventory');
  return {
    apiKeys: table('ApiKeys'),
    put: (petId: string, quantity: string) => {
      const Item = { petId: { N: petId }, quantity: { N: quantity }, status: { S: 'available' } };
      return client.putItem({ TableName, Item });
    },
    /** Returns the quantity of each pet, by its petId. */
    stock: async () => {
      const { Items = [] } = await client.scan({ TableName });
      return Object.fromEntries(Items.map(({ petId, quantity }) => [petId?.N, quantity?.N]));
    },
    [Symbol.asyncDispose]: () => {
      client.destroy();
      return close();
    },
  };
};
