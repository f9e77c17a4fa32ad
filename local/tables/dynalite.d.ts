declare module 'dynalite' {
  /**
   * `createTableMs`: how long a new table stays in CREATING. `path`: the store's directory; without
   * it, in memory.
   */
  export default function dynalite(options?: {
    createTableMs?: number;
    path?: string | undefined;
  }): import('node:http').Server;
}

declare module 'dynalite/db/index.js' {
  interface ConditionalInput {
    ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
    OnlyChecks?: boolean;
  }
  /** An error with a statusCode and a body is what a client then gets. */
  export type Callback = (error: Error | null, value?: unknown) => void;
  export interface Store {
    /** LevelDB, in a directory or in memory. */
    db: {
      status: string;
      open(): Promise<void>;
      iterator(range: { gt: string; lt: string }): AsyncIterable<[string, { TableStatus: string }]>;
      get(key: string, callback: Callback): void;
      put(key: string, value: unknown, callback: Callback): void;
      del(key: string, callback: Callback): void;
    };
  }
  const db: {
    /** Creates a server's store, which then opens in the background. */
    create(options: object): Store;
    /** Returns the error of a write whose condition does not hold, or what ends it otherwise. */
    checkConditional(
      input: ConditionalInput,
      oldItem: object | undefined,
    ): { statusCode: number; body: { Item?: object } } | null | undefined;
  };
  export default db;
}

declare module 'dynalite/validations/updateItem.js' {
  const updateItem: {
    /** The type of each parameter by name. A parameter that is not here is dropped. */
    types: Record<string, { type: string; enum?: string[] }>;
  };
  export default updateItem;
}
