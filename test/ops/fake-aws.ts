import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LocalRun } from '../local-run.ts';

/** Status and XML of an answer. */
export type XmlAnswer = [status: number, xml: string];

export const xmlError = (status: number, code: string, message: string): XmlAnswer => [
  status,
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
];

const stack = (isThere: boolean, outputs: Record<string, string>): XmlAnswer => {
  if (!isThere) {
    return xmlError(400, 'ValidationError', 'Stack with id x does not exist');
  }
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return [
    200,
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>x</StackName>
    <CreationTime>2026-11-01T00:00:00Z</CreationTime><StackStatus>UPDATE_COMPLETE</StackStatus>
    <Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  ];
};

const identity: XmlAnswer = [
  200,
  `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::123456789012:user/operator</Arn>
  <UserId>AIDA</UserId><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
];

/**
 * CloudFormation and STS of an account in which the stages of one local run are deployed. `answers` holds what is
 * answered otherwise, by action.
 */
export const fakeAws = async (run: LocalRun, answers: Record<string, XmlAnswer> = {}) => {
  const server = createServer(async (message, response) => {
    const query = new URLSearchParams(await text(message));
    const action = query.get('Action') ?? '';
    const standard: Record<string, XmlAnswer> = {
      GetCallerIdentity: identity,
      DescribeStacks: stack(/^(staging|prod)-petstore-inventory$/.test(query.get('StackName') ?? ''), {
        BaseUrl: run.baseUrl,
        RestApiId: 'local',
        InventoryTableName: run.tables.inventory,
        ApiKeysTableName: run.tables.apiKeys,
      }),
    };
    const [status, xml] = answers[action] ?? standard[action] ?? [404, ''];
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(xml);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** The environment of an operator of that account. */
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_CLOUDFORMATION: endpoint,
      AWS_ENDPOINT_URL_STS: endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: run.tables.endpoint,
      AWS_ENDPOINT_URL_API_GATEWAY: new URL(run.baseUrl).origin,
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
