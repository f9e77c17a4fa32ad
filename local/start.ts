import { parseArgs } from 'node:util';
import { type Service, startService } from './service.ts';
import { checkDataDirectory } from './tables.ts';

const help = `Runs the service on this machine, from its synthesized template.

Usage: npm start -- [options]

  --port PORT    port to listen on (default 3000; 0 picks a free one)
  --stage STAGE  staging or prod (default staging)
  --data DIR     keep the tables in DIR (default: in memory, lost when it stops)
  --dynamodb URL keep the tables in another DynamoDB, such as DynamoDB Local
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
        data: { type: 'string' },
        dynamodb: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    return values;
  } catch (error) {
    return refuse(`${(error as Error).message.split('. ')[0]}. See npm start -- --help.`);
  }
};

const { port, stage, data, dynamodb, help: wantsHelp } = readOptions();
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
if (data !== undefined && dynamodb !== undefined) {
  refuse('--data and --dynamodb exclude each other.');
}
if (dynamodb !== undefined && !/^https?:$/.test(URL.parse(dynamodb)?.protocol ?? '')) {
  refuse(`--dynamodb must be a URL such as http://127.0.0.1:8000, not "${dynamodb}".`);
}
if (data !== undefined) {
  await checkDataDirectory(data).catch((error: Error) => refuse(`--data ${data} cannot be used: ${error.message}`));
}

const start = async (): Promise<Service> => {
  try {
    return await startService({
      stageName: stage,
      port: Number(port),
      tables: { dataDirectory: data, dynamodbEndpoint: dynamodb },
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(code === 'EADDRINUSE' ? `port ${port} is in use. Choose another: npm start -- --port 0` : message);
  }
};

const starting = start();
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    // At once if it has not started yet, or is asked twice.
    setTimeout(() => process.exit(0), stopping ? 0 : 1_000);
    stopping = true;
    await (await starting).close();
    process.exit(0);
  });
}

const { baseUrl, apiKey, tables } = await starting;
console.log(`Petstore inventory, stage ${stage}, tables in ${data ?? dynamodb ?? 'memory'}. Ctrl-C stops it.

Base URL: ${baseUrl}
API key: ${apiKey}
DynamoDB: ${tables.endpoint} (tables ${tables.inventory}, ${tables.apiKeys})

Try it:
curl -H 'Authorization: Bearer ${apiKey}' ${baseUrl}/inventory
`);
