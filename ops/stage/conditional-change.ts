import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/**
 * Returns the parameters of a change that takes place only if these attributes are still as they
 * were seen.
 */
export const asSeen = <Name extends string, Value>(
  names: readonly Name[],
  seen: { [Seen in Name]?: Value },
  values: Record<string, Value> = {},
) => {
  const exists = (name: Name) => seen[name] !== undefined;
  const seenValues = names.filter(exists).map((name) => [`:seen_${name}`, seen[name]]);
  const ExpressionAttributeValues: Record<string, Value> = {
    ...values,
    ...Object.fromEntries(seenValues),
  };
  const conditions = names.map((name) =>
    exists(name) ? `#${name} = :seen_${name}` : `attribute_not_exists(#${name})`,
  );
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    // DynamoDB rejects an empty map.
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
};

/** Returns the output of a change, or undefined if its condition does not hold. */
export const ifAsSeen = <Output>(change: Promise<Output>): Promise<Output | undefined> =>
  change.catch((error) =>
    error instanceof ConditionalCheckFailedException ? undefined : Promise.reject(error),
  );
