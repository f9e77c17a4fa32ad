export const metricNamespace = 'PetstoreInventory';

/** What one request counts. Each member is a CloudWatch metric of the stage. */
export type Counts = Partial<
  Record<
    | 'Lists'
    | 'EntriesListed'
    | 'Updates'
    | 'NotFound'
    | 'PreconditionFailed'
    | 'UnexpectedRefusals'
    | 'Faults'
    | 'ColdStarts',
    number
  >
>;
