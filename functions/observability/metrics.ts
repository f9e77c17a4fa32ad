export const metricNamespace = 'PetstoreInventory';

/** What functions count. Each is a CloudWatch metric of the stage. */
export const countNames = ['EntriesListed', 'UnexpectedRefusals', 'Faults'] as const;

/** What one request counts. */
export type Counts = Partial<Record<(typeof countNames)[number], number>>;
