import { sharedEngine } from './run.ts';

/** Ends what all tests of a run have shared. */
export default async () => {
  await sharedEngine?.close();
};
