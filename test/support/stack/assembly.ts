import { sharedAssembly } from './shared-assembly.ts';

/** The directory of the cloud assembly of both stages, for files whose every test needs it. */
export const assembly = await sharedAssembly();
