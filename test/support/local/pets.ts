import type { CreateTableCommandInput, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Template } from '../../../local/assembly/template.ts';
import { createTables, startEngine } from '../../../local/tables/tables.ts';
import { atEnd } from '../process/at-end.ts';

const pets: Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'> = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};
/** A template of one table. */
const template = { resources: () => new Map([['pets', pets]]) } as unknown as Template;

/** Starts the built-in engine with one table, until the test file ends if it is not closed before. */
export const startPets = async () => {
  const engine = await startEngine();
  const { endpoint } = engine;
  const client = await createTables(template, endpoint);
  const close = async (): Promise<void> => {
    client.destroy();
    await engine.close();
  };
  atEnd(close);
  return {
    endpoint,
    put: (id: string) => client.putItem({ TableName: 'pets', Item: { id: { S: id } } }),
    transact: (TransactItems: TransactWriteItem[]) => client.transactWriteItems({ TransactItems }),
    ids: async () => {
      const { Items = [] } = await client.scan({ TableName: 'pets' });
      return Items.map(({ id }) => id?.S).sort();
    },
    close,
  };
};
