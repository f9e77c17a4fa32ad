import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/** One JSON line a request: who, what, how it ended, and where the time went (milliseconds). Nothing of the key itself. */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTimeEpoch',
    requestId: '$context.requestId',
    ip: '$context.identity.sourceIp',
    userAgent: '$context.identity.userAgent',
    method: '$context.httpMethod',
    path: '$context.path',
    operation: '$context.operationName',
    keyId: '$context.authorizer.keyId',
    status: '$context.status',
    responseType: '$context.error.responseType',
    responseLength: '$context.responseLength',
    latency: '$context.responseLatency',
    authorizerLatency: '$context.authorizer.latency',
    integrationLatency: '$context.integration.latency',
    integrationStatus: '$context.integration.status',
    timeToFirstContent: '$context.integration.timeToFirstContent',
    tlsVersion: '$context.tlsVersion',
  }),
);
