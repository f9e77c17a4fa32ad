import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { alone } from '../../support/process/alone.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { pythonPrograms } from '../../support/process/installs.ts';
import { ended } from '../../support/process/tools.ts';
import { accountId, regions, startMinistack } from './ministack.ts';

/** A statement of a policy of IAM, as AWS's documents write it. */
export interface Statement {
  Sid?: string;
  Effect: 'Allow';
  Action: string | string[];
  Resource: string | string[];
}

/** Returns what a policy of infra/policies/ allows. */
export const allowedBy = (policy: string): Statement[] =>
  JSON.parse(readFileSync(`infra/policies/${policy}.json`, 'utf8')).Statement;

type Environment = Record<string, string>;

/** Somebody who works in one checkout, with credentials of their own. */
export interface Person {
  /** Runs a command line and waits for its end. */
  end: (command: string) => ReturnType<typeof ended>;
  /** Runs a command line and returns its standard output. Throws unless the exit code is 0. */
  run: (command: string) => Promise<string>;
  /** Returns the same person in another region. */
  in: (region: string) => Person;
}

const personWith = (env: Environment, cwd: string): Person => {
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe'];
  const end = (command: string) => ended(spawn('bash', ['-c', command], { cwd, env, stdio }));
  return {
    end,
    run: async (command) => {
      const { code, output, errors } = await end(command);
      if (code !== 0) {
        throw new Error(`${command}\nended with ${code}.\n${output}${errors}`);
      }
      return output;
    },
    // Version 1 of the AWS CLI, which PyPI has, reads the region only from AWS_DEFAULT_REGION.
    in: (region) => personWith({ ...env, AWS_REGION: region, AWS_DEFAULT_REGION: region }, cwd),
  };
};

/**
 * Starts an AWS account, in us-east-1, in which nothing exists. It ends with the test file.
 * @param checkout the directory in which people run commands
 */
export const startAccount = async (checkout: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'account-'));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  const programs = await alone('ministack', () => pythonPrograms('test/deployment/ministack'));
  const { server, environment } = await startMinistack(directory, join(programs, 'python'));
  atEnd(async () => {
    server.stdin?.end();
    await once(server, 'exit');
  });
  const shell: Environment = {
    ...environment,
    PATH: [programs, process.env.PATH].join(delimiter),
    HOME: directory,
    TMPDIR: directory,
    CI: 'true',
    AWS_EC2_METADATA_DISABLED: 'true',
    // The rules would be two thirds of each synthesis: `npm run synth` has applied them.
    CDK_VALIDATION: 'false',
    // cdk asks on a terminal alone, and fails without one.
    CDK_REQUIRE_APPROVAL: 'never',
    // npx must not look for a stranger's package.
    npm_config_offline: 'true',
  };
  const personOf = (AWS_ACCESS_KEY_ID: string, AWS_SECRET_ACCESS_KEY: string): Person =>
    personWith({ ...shell, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }, checkout).in(regions[0]);

  // For MiniStack, the account's id is an access key of its root user, with any secret.
  const administrator = personOf(accountId, 'any');
  /** Gives a user these permissions, instead of those that it had. */
  const permit = (user: string, statements: Statement[]): Promise<string> => {
    // IAM rejects a policy without statements, and everybody may do this.
    const nothing = { Effect: 'Allow', Action: 'sts:GetCallerIdentity', Resource: '*' };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [nothing, ...statements] });
    const options = `--user-name ${user} --policy-name permissions`;
    return administrator.run(`aws iam put-user-policy ${options} --policy-document '${policy}'`);
  };
  return {
    administrator,
    permit,
    user: async (name: string, statements: Statement[]): Promise<Person> => {
      await administrator.run(`aws iam create-user --user-name ${name}`);
      await permit(name, statements);
      const query = "--query 'AccessKey.[AccessKeyId, SecretAccessKey]' --output text";
      const created = `aws iam create-access-key --user-name ${name} ${query}`;
      const [id = '', secret = ''] = (await administrator.run(created)).trim().split('\t');
      return personOf(id, secret);
    },
  };
};
