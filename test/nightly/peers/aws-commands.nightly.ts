// The AWS CLI knows each of its commands in the pages, with its options and values. No AWS is asked.
import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandsOf } from '../../support/docs/commands.ts';
import { pages, textOf } from '../../support/docs/markdown.ts';
import { alone } from '../../support/process/alone.ts';
import { pythonPrograms } from '../../support/process/installs.ts';
import { ended, project } from '../../support/process/tools.ts';

/** Commands that call several operations of AWS: the AWS CLI does not check them alone. */
const others = /^aws dynamodb wait\b/;

const commands = pages
  .flatMap((page) => commandsOf(textOf(page)))
  .filter((command) => /^aws /.test(command) && !others.test(command));

test('the AWS CLI would send each command', async () => {
  const programs = await alone('ministack', () => pythonPrograms('test/deployment/ministack'));
  const arn = 'arn:aws:dynamodb:us-east-1:111122223333:table/name/backup/1';
  const outcomes = [];
  for (const command of new Set(commands)) {
    const typed = command.replace('BACKUP_ARN', arn);
    const child = spawn('bash', ['-c', `${typed} --endpoint-url http://127.0.0.1:1`], {
      cwd: project,
      env: {
        PATH: [programs, process.env.PATH].join(delimiter),
        AWS_DEFAULT_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'any',
        AWS_SECRET_ACCESS_KEY: 'any',
        AWS_MAX_ATTEMPTS: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { errors } = await ended(child);
    const sent = /Could not connect to the endpoint URL/.test(errors);
    outcomes.push({ command, outcome: sent ? 'sent' : errors });
  }
  expect(outcomes.length).toBeGreaterThan(10);
  expect(outcomes.filter(({ outcome }) => outcome !== 'sent')).toStrictEqual([]);
});
