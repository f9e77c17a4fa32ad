import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localAccount } from '../infra/assembly/resolved-stack.ts';
import { type Service, startService } from '../local/service.ts';
import { checkDataDirectory, localCredentials } from '../local/tables/tables.ts';
import { writeRunFile } from './stage/run-file.ts';

const help = `Runs the service on this machine, from its synthesized template.

Usage: npm start -- [options]

  --port PORT    port to listen on (default 3000; 0 picks a free one)
  --stage STAGE  staging or prod (default staging)
  --app DIR      run the cloud assembly in DIR, such as cdk.out (default: synthesizes one)
  --data DIR     keep the tables in DIR (default: in memory, lost when it stops)
  --dynamodb URL use the DynamoDB engine at URL, such as Amazon's DynamoDB Local, instead of the built-in one
  --json         print logs as they would be in CloudWatch (default: one readable line a request, and failures)
  --help         show this text`;

/** One line to standard error, and the exit code of a command that could not start. */
const refuse = (reason: string): never => {
  console.error(`npm start: ${reason}`);
  process.exit(1);
};

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '3000' },
        stage: { type: 'string', default: 'staging' },
        app: { type: 'string' },
        data: { type: 'string' },
        dynamodb: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. See npm start -- --help.`);
  }
};

const { port, stage, app, data, dynamodb, json, help: wantsHelp } = readOptions();
if (wantsHelp) {
  console.log(help);
  process.exit(0);
}
if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
  refuse(`--port must be a number from 0 to 65535, not "${port}".`);
}
if (stage !== 'staging' && stage !== 'prod') {
  refuse(`--stage must be staging or prod, not "${stage}".`);
}
if (app !== undefined && !existsSync(join(app, `assembly-${stage}`, 'manifest.json'))) {
  refuse(`--app ${app} is no cloud assembly of ${stage}. npx cdk synth writes one.`);
}
if (dynamodb !== undefined && (data !== undefined || !/^https?:$/.test(URL.parse(dynamodb)?.protocol ?? ''))) {
  refuse('--dynamodb must be the URL of an engine that keeps its own data, without --data.');
}
if (data !== undefined) {
  await checkDataDirectory(data).catch((error: Error) => refuse(`--data ${data} cannot be used: ${error.message}`));
}

let stopping = false;

const start = async (): Promise<Service> => {
  try {
    return await startService({
      stageName: stage,
      port: Number(port),
      app,
      dataDirectory: data,
      endpoint: dynamodb,
      jsonLogs: json,
    });
  } catch (error) {
    if (stopping) {
      process.exit(0);
    }
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'EADDRINUSE' ? `port ${port} is in use. Choose another: npm start -- --port 0` : message);
  }
};

const starting = start();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    // At once if it has not started yet, or is asked twice.
    setTimeout(() => process.exit(0), stopping ? 0 : 1_000);
    stopping = true;
    await (await starting).close();
    process.exit(0);
  });
}

const { baseUrl, apiKey, restApiId, tables } = await starting;
const { endpoint, inventory, apiKeys } = tables;
writeRunFile({
  pid: process.pid,
  ...localAccount,
  credentials: localCredentials,
  stageName: stage,
  baseUrl,
  restApiId,
  dynamodb: { endpoint, inventory, apiKeys },
});
const kept = dynamodb ? `at ${dynamodb}` : data ? `in ${data}` : 'in memory';
console.log(`Petstore inventory, stage ${stage}, tables ${kept}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${apiKey}
DynamoDB: ${endpoint} (tables ${inventory}, ${apiKeys})
API reference: ${new URL(baseUrl).origin}/

Try it:
curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/inventory
`);
