/** The environment variables that the template sets. */
export type TemplateVariable =
  | 'STAGE_NAME'
  | 'INVENTORY_TABLE_NAME'
  | 'API_KEYS_TABLE_NAME'
  | 'RECEIPTS_TABLE_NAME'
  | 'AWS_ENDPOINT_URL_DYNAMODB';

/** Those that Lambda sets. */
type LambdaVariable = 'AWS_REGION' | 'AWS_LAMBDA_FUNCTION_NAME' | 'AWS_LAMBDA_FUNCTION_VERSION';

/**
 * Returns the value of an environment variable. Call it during init, so that a function which lacks
 * one never starts, instead of failing at its first request.
 * @throws Error with the variable's name if it is missing or empty
 */
export const variable = (name: TemplateVariable | LambdaVariable): string => {
  const value = process.env[name];
  if (!value) {
    throw new Error(`The environment variable ${name} is missing.`);
  }
  return value;
};
