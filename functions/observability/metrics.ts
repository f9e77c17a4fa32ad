export const metricNamespace = 'PetstoreInventory';

const ofStage = ['Stage'];
/** For the alarms that roll back a bad release. */
const ofVersion = ['FunctionName', 'FunctionVersion'];

/** What functions count, each with the dimensions of the CloudWatch metric that it becomes. */
export const dimensionsOf = {
  EntriesListed: ofStage,
  UnexpectedRefusals: ofStage,
  Faults: ofVersion,
};

type CountName = keyof typeof dimensionsOf;

/** What one request counts. */
export type Counts = Partial<Record<CountName, number>>;
