import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { shiftMinutes } from '../../../ops/preflight/before-release.ts';
import { assembly } from '../../support/assembly.ts';
import { jsonError } from '../../support/aws-reply.ts';
import { type FakeAws, fakeAws } from '../../support/fake-aws.ts';
import { ops } from '../../support/ops.ts';
import { assemblyWith, changedTemplate } from '../../support/preflight.ts';
import { resourcesOf, templates } from '../../support/synthesized.ts';

/** What comes before a release: each case is a stage and how its list responds. */
describe('the commands before a release', () => {
  let aws: FakeAws;
  let respond: { status: number; body: string };
  const list = createServer((_request, response) => response.writeHead(respond.status).end(respond.body));
  beforeEach(async () => {
    aws = await fakeAws();
    // A release that is ready stops at this.
    aws.replies.set('ssm GetParameter', jsonError('ParameterNotFound', ''));
    list.listen(0, '127.0.0.1');
    await once(list, 'listening');
    const BaseUrl = `http://127.0.0.1:${(list.address() as AddressInfo).port}/v1`;
    for (const stage of ['staging', 'prod']) {
      const name = `${stage}-petstore-inventory`;
      aws.stacks.set(name, { status: 'UPDATE_COMPLETE', template: JSON.stringify(templates[stage]) });
      aws.outputs.set(name, { BaseUrl });
    }
    respond = { status: 200, body: '[{}]' };
  });
  afterEach(async () => {
    list.close();
    list.closeAllConnections();
    await aws.close();
  });

  const release = (env: NodeJS.ProcessEnv = {}, ...options: string[]) => {
    const keys = { PETSTORE_STAGING_API_KEY: 'staging', PETSTORE_PROD_API_KEY: 'prod' };
    return ops(['release', '--app', assembly, ...options], { env: { ...aws.environment, ...keys, ...env } });
  };
  const createKey = (stage: string) =>
    `export PETSTORE_${stage.toUpperCase()}_API_KEY=$(npx petstore keys create --name release --stage ${stage})`;
  const deploy = (stage: string) => `npx cdk deploy --no-rollback '${stage}/*' --app ${assembly}`;
  const sample = 'ops/sample-inventory.csv';
  const addStock = `npx petstore inventory import ${sample} --stage staging`;
  const ofStaging = [deploy('staging'), createKey('staging'), addStock];
  const ofProd = [deploy('prod'), createKey('prod')];
  const failed = (stage: string) =>
    aws.stacks.set(`${stage}-petstore-inventory`, { status: 'CREATE_FAILED', template: '{}' });

  test.each<[string, () => unknown, NodeJS.ProcessEnv, string[]]>([
    ['neither stage is deployed', () => aws.stacks.clear(), {}, [...ofStaging, ...ofProd]],
    ['the first deployment of staging failed half-way', () => failed('staging'), {}, ofStaging],
    ['the first deployment of prod failed half-way', () => failed('prod'), {}, ofProd],
    ['a key is missing', () => {}, { PETSTORE_PROD_API_KEY: undefined }, [createKey('prod')]],
    ['keys are of no stage', () => (respond.status = 401), {}, [createKey('staging'), createKey('prod')]],
    ['there is no stock', () => (respond.body = '[]'), {}, [addStock]],
    ['nothing can be read', () => {}, { PETSTORE_PROD_API_KEY: '', AWS_ACCESS_KEY_ID: '' }, [createKey('prod')]],
  ])('are named if %s', async (_what, prepare, env, commands) => {
    prepare();

    const again = `npx petstore release --app ${assembly}`;
    const errors = `\
petstore: The checks after a deployment need an API key and, in staging, stock. Nothing was deployed.
Run these first:
${[...commands, again].join('\n')}
`;
    expect(await release(env)).toEqual({ code: 6, output: '', errors });
    expect(statSync(join(import.meta.dirname, '../../..', sample)).isFile()).toBe(true);
    expect(aws.calls.filter((call) => call.includes('ChangeSet'))).toEqual([]);
  });

  test.each([
    ['all is there', () => {}],
    ['the service is broken, which the release may mend', () => (respond.status = 500)],
    ['the service cannot be reached', () => list.close().closeAllConnections()],
  ])('are none if %s', async (_what, prepare) => {
    prepare();

    expect((await release({}, '--stage', 'staging')).errors).toMatch(/^petstore: preflight staging: /);
  });
});

describe('the minutes in which traffic shifts', () => {
  test.each([
    [['LambdaCanary10Percent10Minutes', 'LambdaCanary10Percent15Minutes', 'LambdaAllAtOnce'], 15],
    [['LambdaAllAtOnce', 'LambdaAllAtOnce', 'LambdaAllAtOnce'], 0],
    // The first tenth at once, the last after nine intervals.
    [['LambdaLinear10PercentEvery1Minute', 'LambdaLinear10PercentEvery3Minutes', 'LambdaAllAtOnce'], 27],
  ])('are those of the slowest function: %j', (configurations, minutes) => {
    const template = changedTemplate((changed) => {
      const groups = Object.values(resourcesOf(changed, 'AWS::CodeDeploy::DeploymentGroup'));
      for (const [index, { Properties }] of groups.entries()) {
        Properties.DeploymentConfigName = `CodeDeployDefault.${configurations[index]}`;
      }
    });

    expect(shiftMinutes('prod', assemblyWith(template))).toBe(minutes);
  });
});
