declare module 'dynalite' {
  /** `createTableMs`: how long a new table stays in CREATING. `path`: directory of the store; in memory without it. */
  export default function dynalite(options?: { createTableMs?: number; path?: string }): import('node:http').Server;
}
