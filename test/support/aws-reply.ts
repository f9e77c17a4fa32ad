/** The response of a service: XML, JSON or nothing. */
export type Reply = { status?: number; xml?: string; json?: unknown };

/** The response to a request that a service rejects. */
export const xmlError = (Code: string, Message: string, status = 400): Reply => ({
  status,
  xml: `<ErrorResponse><Error><Type>Sender</Type><Code>${Code}</Code><Message>${Message}</Message></Error></ErrorResponse>`,
});
export const jsonError = (type: string, message: string): Reply => ({ status: 400, json: { __type: type, message } });

/** What SNS says of a topic with so many subscribers. */
export const topicAttributes = (SubscriptionsConfirmed: number, SubscriptionsPending: number): Reply => {
  const entries = Object.entries({ SubscriptionsConfirmed, SubscriptionsPending }).map(
    ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
  );
  const result = `<Attributes>${entries.join('')}</Attributes>`;
  return {
    xml: `<GetTopicAttributesResponse><GetTopicAttributesResult>${result}</GetTopicAttributesResult></GetTopicAttributesResponse>`,
  };
};
