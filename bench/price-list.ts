/**
 * AWS's list prices of 2026 for us-east-1, in US dollars, without free tiers or taxes. Those of WAF
 * are from its price guide. The others are those that the pricing page of each service lists; check
 * them there before you rely on them.
 */
export const price = {
  /** https://aws.amazon.com/api-gateway/pricing: REST API, the first 333 million of a month. */
  apiGatewayRequest: 3.5 / 1e6,
  /** https://aws.amazon.com/lambda/pricing */
  lambdaRequest: 0.2 / 1e6,
  /** arm64 */
  lambdaGbSecond: 0.0000133334,
  /** What a response streams beyond `lambdaFreeStreamBytes`. */
  lambdaStreamedGb: 0.008,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand */
  writeRequestUnit: 0.625 / 1e6,
  readRequestUnit: 0.125 / 1e6,
  tableGbMonth: 0.25,
  backupGbMonth: 0.2,
  /** https://aws.amazon.com/cloudwatch/pricing */
  logGb: 0.5,
  /** Of standard resolution, for each metric that the alarm watches. */
  alarmMetricMonth: 0.1,
  metricMonth: 0.3,
  dashboardMonth: 3,
  /** https://aws.amazon.com/xray/pricing */
  traceRecorded: 5 / 1e6,
  /** https://aws.amazon.com/waf/pricing */
  webAclMonth: 5,
  webAclRuleMonth: 1,
  webAclRequest: 0.6 / 1e6,
  /** https://aws.amazon.com/ec2/pricing/on-demand: from AWS to the internet. */
  transferGb: 0.09,
};

/** API Gateway counts a streamed response as a request for each so many bytes that it begins. */
export const apiGatewayStepBytes = 10 * 1024 * 1024;

/** The part of each streamed response that Lambda does not charge for. */
export const lambdaFreeStreamBytes = 6 * 1024 * 1024;

/** A function can stream 200 MB at most; after the first 6 MB, at 2 MB/s. */
export const streamLimitBytes = 200 * 1024 * 1024;
export const streamBytesPerSecond = 2 * 1024 * 1024;
