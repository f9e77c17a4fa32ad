import { CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { apiKeyPattern } from '../../functions/keys/api-key.ts';
import { authorizerCacheSeconds } from '../../functions/shared/time-limits.ts';
import type { ServiceFunctions } from '../lambda/service-functions.ts';
import { basePath, type Operation, operations } from '../service/operations.ts';
import type { StageSettings, Throttling } from '../settings/stage-settings.ts';
import { accessLogFormat } from './access-log.ts';
import { Firewall } from './firewall.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addRoutes, type Routes } from './routes.ts';

interface InventoryApiProps {
  stageName: string;
  settings: StageSettings;
  functions: ServiceFunctions;
  /** The commit that it is deployed from. */
  commit: string | undefined;
}

/**
 * The HTTP side of the service: routes, authorizer, the gateway's own responses, access log, domain
 * and firewall.
 */
export class InventoryApi extends apigateway.RestApi {
  /** The URL of the API, which ends in `/v1`. */
  readonly baseUrl: string;
  readonly routes: Routes;
  readonly accessLog: LogGroup;
  readonly firewall: Firewall | undefined;

  constructor(scope: Construct, id: string, props: InventoryApiProps) {
    const { stageName, settings, functions, commit } = props;
    const accessLog = new LogGroup(scope, `${id}AccessLog`, {
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, {
      restApiName: `petstore-inventory-${stageName}`,
      description: `Petstore inventory service (${stageName})`,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      // API Gateway writes its logs with one role per account and region. CDK keeps it when a stack
      // is destroyed.
      cloudWatchRole: true,
      deployOptions: {
        stageName,
        ...throttled(throttlingOfFallbacks),
        // The method of an operation inherits nothing from the stage.
        methodOptions: Object.fromEntries(
          operations.map((each) => [keyOf(each), measured(throttlingOf(each, settings))]),
        ),
        accessLogDestination: new apigateway.LogGroupLogDestination(accessLog),
        accessLogFormat,
      },
    });
    const resource = this.node.defaultChild as apigateway.CfnRestApi;
    // Allows TLS 1.2 and 1.3. API Gateway's default policy would also allow 1.0.
    resource.securityPolicy = apigateway.SecurityPolicy.TLS13_1_2_PQ_2025_09;
    // STRICT would also refuse a request whose TLS handshake names another host than its Host
    // header. It needs to be known of every client, and of every proxy in front of the API, that
    // they send the same name in both.
    resource.endpointAccessMode = 'BASIC';

    this.accessLog = accessLog;
    addGatewayResponses(this);
    const authorizer = this.#addAuthorizer(stageName, functions);
    this.routes = addRoutes(this, { authorizer, functions, commit });
    this.baseUrl = this.#addDomain(settings);
    const { firewall: limits } = settings;
    const stage = this.deploymentStage;
    this.firewall = limits && new Firewall(this, 'Firewall', { stageName, stage, limits });
    Validations.of(this).acknowledge(...acknowledgedRules);
    // CDK's own output of the URL lacks the /v1 that every client needs.
    this.node.tryRemoveChild('Endpoint');
  }

  #addAuthorizer(stageName: string, functions: ServiceFunctions): apigateway.Authorizer {
    return new apigateway.TokenAuthorizer(this, 'ApiKeyAuthorizer', {
      handler: functions.Authorizer.liveAlias,
      // API Gateway rejects what cannot be a key of this stage, without invoking the authorizer.
      validationRegex: `^[Bb][Ee][Aa][Rr][Ee][Rr] +${apiKeyPattern(stageName)}$`,
      resultsCacheTtl: Duration.seconds(authorizerCacheSeconds),
    });
  }

  /** Adds the domain name of the stage, if it has one. Returns the URL of the API. */
  #addDomain({ customDomain }: StageSettings): string {
    if (!customDomain) {
      return this.urlForPath(basePath);
    }
    const domain = this.addDomainName('Domain', {
      domainName: customDomain.domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', customDomain.certificateArn),
      endpointType: apigateway.EndpointType.REGIONAL,
      // The handshake follows the policy of the API that the domain leads to, not this one.
      securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(this.stack, 'DomainTarget', {
      description: `Where a CNAME or alias record of ${customDomain.domainName} has to point`,
      value: domain.domainNameAliasDomainName,
    });
    return `https://${customDomain.domainName}${basePath}`;
  }
}

/**
 * The limits of each route in fallback-routes.ts. AWS bills their requests although they need no
 * key, and counts them towards the limit that all APIs of the account share. So they are low.
 */
const throttlingOfFallbacks: Throttling = { rateLimit: 10, burstLimit: 40 };

/** Returns what `methodOptions` calls the method of an operation. */
const keyOf = ({ path, method }: Operation): string => `${basePath}${path}/${method}`;

const throttlingOf = ({ streams }: Operation, { list, throttling }: StageSettings): Throttling =>
  streams ? list.throttling : throttling;

const throttled = ({ rateLimit, burstLimit }: Throttling): apigateway.MethodDeploymentOptions => ({
  dataTraceEnabled: false,
  throttlingRateLimit: rateLimit,
  throttlingBurstLimit: burstLimit,
});

const measured = (throttling: Throttling): apigateway.MethodDeploymentOptions => ({
  ...throttled(throttling),
  metricsEnabled: true,
});

const logPolicy = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/** The rules of the AWS Solutions pack that the API breaks on purpose. */
const acknowledgedRules = [
  {
    id: 'AwsSolutions-APIG2',
    reason: 'The handlers validate requests, more exactly than a model could.',
  },
  {
    id: 'AwsSolutions-APIG3',
    reason: 'A web ACL is a setting of the stage, because it has a monthly price.',
  },
  {
    id: 'AwsSolutions-APIG6',
    reason: 'Execution logs could hold API keys. The access log has every request.',
  },
  {
    id: 'AwsSolutions-COG4',
    reason: 'The interface prescribes API keys, which a Lambda authorizer checks.',
  },
  {
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${logPolicy}]`,
    reason: 'The role belongs to the account, not to this API, and AWS prescribes this policy.',
  },
];
