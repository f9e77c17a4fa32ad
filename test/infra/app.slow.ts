import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { StageSettings } from '../../infra/settings/stage-settings.ts';
import { stages } from '../../infra/settings/stages.ts';
import { project } from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';
import { readAssembly, resourcesOf } from '../support/stack/synthesized.ts';

const home = mkdtempSync(join(tmpdir(), 'petstore-synth-'));
// At another depth, with names of the project's folders, and with blanks and characters that are
// special to shells and URLs.
const checkout = join(home, 'functions/infra/ünï "$HOME" (%41) #1');
const bin = join(home, 'bin');

beforeAll(() => {
  const folders = ['functions', 'infra'];
  const files = ['cdk.json', 'tsconfig.json', 'package.json', 'package-lock.json', 'node-24.cjs'];
  for (const name of [...folders, ...files]) {
    cpSync(join(project, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
  mkdirSync(bin);
  // The Node that comes first in the PATH cannot run TypeScript, as Node 20 cannot.
  const otherNode = `#!/bin/sh\ncase "$1" in *.ts) exit 1;; esac\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(bin, 'node'), otherNode, { mode: 0o755 });
});

const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');

/** Runs `cdk synth` of both stages. It reports broken rules only if stacks are selected. */
const synth = (cwd: string, ...more: string[]): { status: number | null; output: string } => {
  const args = [cdk, 'synth', '*/*', '--quiet', ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: home,
      TMPDIR: home,
    },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
};

/** Returns the files of an assembly without the commit, which a copy of the project lacks. */
const withoutCommit = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replace(/(?<="Commit": \{\s+"Value": )"(unknown|[0-9a-f]{40}(-dirty)?)"/, '""'),
    ]),
  );

const warned = (output: string): string[] =>
  output.split('\n').filter((line) => /warning|deprecated|docker/i.test(line));

test('cdk synth of a copy, under another umask, writes the same bytes, readable for Lambda', () => {
  const [out, usual] = [join(checkout, 'cdk.out'), join(home, 'usual')];
  // An operator's umask may hide new files from other users, and Lambda runs as another user.
  const umask = process.umask(0o077);
  const { status, output } = synth(checkout);
  process.umask(umask);
  const { alarmEmail }: StageSettings = stages.prod;
  const warning =
    'WARNING No alarm of this stage notifies anybody. Set its alarmEmail in ' +
    'infra/settings/stages.ts. (Annotation)';
  expect({ status, warned: warned(output) }).toStrictEqual({
    status: 0,
    warned: alarmEmail ? [] : [warning],
  });

  const modesOf = (paths: string) =>
    globSync(paths, { cwd: out }).map((path) => statSync(join(out, path)).mode & 0o777);
  expect(modesOf('asset.*')).toStrictEqual(Array(3).fill(0o755));
  expect(modesOf('asset.*/*')).toStrictEqual(Array(6).fill(0o644));

  expect(synth(project, '--output', usual).status).toBe(0);
  const [copied, original] = [out, usual].map((directory) =>
    withoutCommit(readAssembly(directory)),
  );
  // Names have the hashes of bundles. A difference of whole texts would fill the screen.
  expect(Object.keys(copied ?? {}).sort()).toStrictEqual(Object.keys(original ?? {}).sort());
  const different = Object.keys(copied ?? {}).filter((path) => copied?.[path] !== original?.[path]);
  expect(different).toStrictEqual([]);
  // infra/app.ts has the same stages and bundles as the app of the tests, whatever its settings
  // are.
  const ofTests = Object.keys(readAssembly(assembly));
  expect(Object.keys(copied ?? {}).sort()).toStrictEqual(ofTests.sort());

  // Whatever else an operator sets, prod keeps its tables.
  const [file = ''] = globSync(join(usual, 'assembly-prod/*.template.json'));
  const tables = resourcesOf(JSON.parse(readFileSync(file, 'utf8')), 'AWS::DynamoDB::GlobalTable');
  expect(Object.values(tables).map(({ DeletionPolicy }) => DeletionPolicy)).toStrictEqual([
    'Retain',
    'Retain',
  ]);
  const manifest = readFileSync(join(usual, 'assembly-prod/manifest.json'), 'utf8');
  expect(manifest).toContain('"terminationProtection": true');

  // The CDK has written no telemetry.
  expect(globSync('cdk-telemetry*', { cwd: home })).toStrictEqual([]);
});

test('cdk synth fails at a broken rule of the AWS Solutions pack', () => {
  const routes = join(checkout, 'infra/api/fallback-routes.ts');
  // This leaves a broken rule without its acknowledgment.
  const source = readFileSync(routes, 'utf8');
  writeFileSync(routes, source.replace('AwsSolutions-APIG4', 'AwsSolutions-APIG1'));
  const result = synth(checkout);
  writeFileSync(routes, source);
  expect(result).toStrictEqual({
    status: 1,
    output: expect.stringContaining('AwsSolutions-APIG4'),
  });
});
