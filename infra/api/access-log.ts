import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * The format of the access log: one JSON line per request, with the caller, the route, the result,
 * and the errors and milliseconds of each part. Of the Authorization header it holds nothing, and so
 * no `$context.error.message`, which may quote it. A key that a caller puts into the path or the
 * User-Agent is logged. Callers may choose requestId; extendedRequestId is always AWS's own.
 */
export const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTimeEpoch',
    requestId: '$context.requestId',
    extendedRequestId: '$context.extendedRequestId',
    ip: '$context.identity.sourceIp',
    userAgent: '$context.identity.userAgent',
    method: '$context.httpMethod',
    path: '$context.path',
    resourcePath: '$context.resourcePath',
    keyId: '$context.authorizer.keyId',
    status: '$context.status',
    responseType: '$context.error.responseType',
    wafResponseCode: '$context.wafResponseCode',
    responseLength: '$context.responseLength',
    latency: '$context.responseLatency',
    authorizerError: '$context.authorizer.error',
    authorizerLatency: '$context.authorizer.latency',
    integrationError: '$context.integration.error',
    integrationLatency: '$context.integration.latency',
    integrationStatus: '$context.integration.status',
    timeToFirstContent: '$context.integration.timeToFirstContent',
    tlsVersion: '$context.tlsVersion',
  }),
);
