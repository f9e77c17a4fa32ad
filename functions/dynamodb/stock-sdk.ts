/**
 * Whether the functions use the AWS SDK as it comes. To go back to it, make this true: nothing else has to change.
 * dynamodb-client.ts says what that costs; docs/reliability.md, which faults it no longer survives.
 */
export const useStockSdk: boolean = false;
