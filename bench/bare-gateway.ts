/**
 * Serves the API as the local run does, but with handlers that do nothing. Sends the base URL to
 * its parent.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { readStack } from '../infra/assembly/resolved-stack.ts';
import { synthesize } from '../infra/assembly/synthesize.ts';
import { gateway } from '../local/gateway/gateway.ts';
import { readRestApi } from '../local/gateway/rest-api.ts';
import { lambdaFunctions } from '../local/lambda/functions.ts';
import { listen } from '../local/shared/local-server.ts';

const headers = { 'Content-Type': 'application/json' };
const item = { petId: 1, quantity: 7, status: 'available' };
const list = JSON.stringify({ statusCode: 200, headers });
const response = JSON.stringify({ statusCode: 200, headers, body: JSON.stringify(item) });
const policy = JSON.stringify({
  principalId: 'bench',
  policyDocument: { Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: '*' }] },
});

/** The code of each handler, by the beginning of its function's logical ID. */
const handlers = {
  Authorizer: `exports.handler = async () => (${policy});`,
  ListInventory: `exports.handler = awslambda.streamifyResponse(async (event, stream) => {
    const response = awslambda.HttpResponseStream.from(stream, ${list});
    response.write('${JSON.stringify([item])}');
    await new Promise((done) => response.end(done));
  });`,
  UpdateInventory: `exports.handler = async () => (${response});`,
};

const stack = readStack(await synthesize('staging'), 'staging');
const deployed = stack.resources<{ Code: { S3Key: string } }>('AWS::Lambda::Function');
for (const [logicalId, { Code }] of deployed) {
  for (const [name, code] of Object.entries(handlers)) {
    if (logicalId.startsWith(name)) {
      writeFileSync(join(stack.assetDirectory(Code.S3Key), 'index.js'), code);
    }
  }
}
const functions = lambdaFunctions({
  stack,
  dynamodbEndpoint: 'http://127.0.0.1',
  log: () => {},
});
const server = createServer(gateway(readRestApi(stack, functions)));
process.on('disconnect', () => process.exit());
const { address } = await listen(server);
process.send?.(`http://${address}/staging/v1`);
