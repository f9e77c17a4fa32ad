declare module 'dynalite' {
  /**
   * `createTableMs`: how long a new table stays in CREATING. `path`: the store's directory; without
   * it, in memory.
   */
  export default function dynalite(options?: {
    createTableMs?: number;
    path?: string;
  }): import('node:http').Server;
}
