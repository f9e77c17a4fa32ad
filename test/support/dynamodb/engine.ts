/** A DynamoDB engine that a test run has started. */
export interface Engine {
  endpoint: string;
  close(): Promise<void>;
}

/** The endpoint of the engine that all tests of a run share. */
export const sharedEndpoint = process.env.TEST_DYNAMODB_ENDPOINT ?? '';

/** Whether tests keep their tables in dynoxide, as those of `npm run test:dynoxide` do. */
export const isDynoxide = process.env.TEST_DYNOXIDE !== undefined;

/** Starts an engine without tables. */
export const startEngine = async (): Promise<Engine> => {
  // Imported here, because most tests only use the shared engine.
  if (process.env.TEST_DYNOXIDE !== undefined) {
    const { startDynoxide } = await import('./dynoxide.ts');
    return startDynoxide(process.env.TEST_DYNOXIDE);
  }
  const { startEngine: startBuiltIn } = await import('../../../local/tables/tables.ts');
  return startBuiltIn();
};
