declare module 'dynalite' {
  /** `createTableMs`: how long a new table stays in CREATING. */
  export default function dynalite(options?: {
    createTableMs?: number;
  }): import('node:http').Server;
}

declare module 'dynalite/db/index.js' {
  interface ConditionalInput {
    ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
  }
  /** An error with a statusCode and a body is what a client then gets. */
  export interface Refusal {
    statusCode: number;
    body: { __type?: string; Item?: object | undefined };
  }
  export type Callback = (error: (Error & Partial<Refusal>) | null, value?: unknown) => void;
  export type Write = { type: 'put'; key: string; value: unknown };
  export interface Store {
    /** LevelDB, in memory. */
    db: {
      /** Writes all or nothing. The keys of a table's items begin with `item-TABLE~`. */
      batch(writes: Write[], callback: Callback): void;
    };
    /** The part of LevelDB that holds a table's items, with locks for them. */
    getItemDb(table: string): object;
  }
  const db: {
    /** Creates a server's store, which then opens in the background. */
    create(options: object): Store;
    /** Returns the error of a write whose condition does not hold. */
    checkConditional(
      input: ConditionalInput,
      oldItem: object | undefined,
    ): Refusal | null | undefined;
  };
  export default db;
}

declare module 'dynalite/validations/index.js' {
  import type { Store } from 'dynalite/db/index.js';

  /** The type of each parameter by name. A parameter that is not here is dropped. */
  export type Types = Record<string, { type: string; enum?: string[] }>;
  const validations: {
    /** Returns the parameters that are known. Throws what a client then gets. */
    checkTypes(input: object, types: Types): object;
    /** Reads the expressions, too. Throws what a client then gets. */
    checkValidations(data: object, types: Types, custom: object, store: Store): void;
  };
  export default validations;
}

declare module 'dynalite/validations/*Item.js' {
  import type { Types } from 'dynalite/validations/index.js';

  const parameters: { types: Types; custom: object };
  export default parameters;
}

declare module 'dynalite/actions/*Item.js' {
  import type { Callback, Store } from 'dynalite/db/index.js';

  /** Holds and reads the old item, checks the condition, and puts the new item. */
  export default function run(store: Store, data: object, callback: Callback): void;
}
