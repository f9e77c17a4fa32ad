/**
 * Whether the functions use the AWS SDK without our own parts. To go back to the stock SDK, set
 * this to true; nothing else has to change. dynamodb-client.ts says what that costs,
 * docs/reliability.md which faults it does not survive.
 */
export const useStockSdk: boolean = false;
