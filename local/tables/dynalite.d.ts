declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    /** Milliseconds that a new table stays in CREATING. */
    createTableMs?: number;
    /** Directory of the LevelDB store; in memory without it. */
    path?: string;
  }

  /** `close` also closes the store, before it calls back. */
  export default function dynalite(options?: Options): Server;
}
