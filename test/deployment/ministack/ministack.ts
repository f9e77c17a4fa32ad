import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

export const accountId = '111122223333';

/** The region of an account's stages, and one to which they can move. */
export const regions = ['us-east-1', 'eu-west-1'] as const;

const regionalHosts = regions.flatMap((region) =>
  ['', 's3.', 'ddb.', 'execute-api.'].map((service) => `DNS:*.${service}${region}.amazonaws.com`),
);
const globalHosts = ['DNS:*.amazonaws.com', 'DNS:*.s3.amazonaws.com'];
const names = ['IP:127.0.0.1', ...globalHosts, ...regionalHosts];

/** Makes a certificate for hosts of AWS, which only the programs of one test trust. */
const certificate = (directory: string) => {
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=MiniStack', '-addext', `subjectAltName=${names.join()}`];
  const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', ...kind, ...subject, ...leaf, ...files], { stdio: 'ignore' });
  return { cert, key };
};

/**
 * Starts MiniStack, an AWS that runs on this machine, checks permissions and speaks TLS. It ends
 * with this process, and removes the directory.
 * @param python the Python of an environment in which MiniStack is installed
 * @returns variables of the environment in which a program finds it at the host names of AWS
 */
export const startMinistack = async (
  directory: string,
  python: string,
): Promise<{ server: ChildProcess; environment: Record<string, string> }> => {
  const temporary = join(directory, 'ministack');
  mkdirSync(temporary, { recursive: true });
  const { cert, key } = certificate(directory);
  const server = spawn(python, [join(import.meta.dirname, 'server.py')], {
    // Nothing is inherited, because an access key would count as that of the root user.
    env: {
      // Functions run on this Node.
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: temporary,
      TMPDIR: temporary,
      AUTH: 'true',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: cert,
      MINISTACK_SSL_KEY: key,
      MINISTACK_ACCOUNT_ID: accountId,
      // The default of an account.
      LAMBDA_ACCOUNT_CONCURRENCY: '1000',
      IOT_MTLS_ENABLED: '0',
      LOG_LEVEL: 'ERROR',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  server.stderr
    .setEncoding('utf8')
    .on('data', (chunk) => (errors = (errors + chunk).slice(-4_000)));
  const port = await Promise.race([
    once(createInterface(server.stdout), 'line').then(([line]) => String(line)),
    once(server, 'exit').then(() => Promise.reject(new Error(`MiniStack ended.\n${errors}`))),
  ]);
  // A process that is left with MiniStack alone may end.
  for (const handle of [server, ...(server.stdio as unknown as Socket[])]) {
    handle?.unref();
  }
  const ofCurl = `connect-to = "::127.0.0.1:${port}"\ncacert = "${cert}"\n`;
  writeFileSync(join(directory, '.curlrc'), ofCurl);
  return {
    server,
    environment: {
      MINISTACK_PORT: port,
      // Of Node's programs: cdk, petstore and what they start.
      NODE_OPTIONS: `--require ${join(import.meta.dirname, 'connect.cjs')}`,
      // Of the AWS CLI.
      PYTHONPATH: join(import.meta.dirname, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      AWS_CA_BUNDLE: cert,
      // Of curl.
      CURL_HOME: directory,
    },
  };
};
