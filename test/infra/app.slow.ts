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
import { expect, test } from '@jest/globals';
import { project } from '../support/process/tools.ts';
import { assembly } from '../support/stack/assembly.ts';
import { readAssembly, resourcesOf } from '../support/stack/synthesized.ts';

/** Copies what cdk synth needs to a directory. */
const copyProject = (checkout: string): void => {
  const folders = ['functions', 'infra'];
  const files = ['cdk.json', 'tsconfig.json', 'package.json', 'package-lock.json', 'node-24.cjs'];
  for (const name of [...folders, ...files]) {
    cpSync(join(project, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
};

/** Returns the files of an assembly without the commit, which a copy of the project lacks. */
const withoutCommit = (files: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replace(/(?<="Commit": \{\s+"Value": )"(unknown|[0-9a-f]{40}(-dirty)?)"/, '""'),
    ]),
  );

const expectProtectedProd = (out: string): void => {
  const [file = ''] = globSync(join(out, 'assembly-prod/*.template.json'));
  const template = JSON.parse(readFileSync(file, 'utf8'));
  const tables = Object.values(resourcesOf(template, 'AWS::DynamoDB::GlobalTable'));
  expect(tables.map(({ DeletionPolicy }) => DeletionPolicy)).toStrictEqual(['Retain', 'Retain']);
  const manifest = readFileSync(join(out, 'assembly-prod/manifest.json'), 'utf8');
  expect(manifest).toContain('"terminationProtection": true');
};

test('cdk synth writes the same bytes elsewhere, and fails at a broken rule', () => {
  const home = mkdtempSync(join(tmpdir(), 'petstore-synth-'));
  // At another depth, with names of the project's folders, and with characters that are special to
  // shells and URLs.
  const checkout = join(home, 'functions/infra/ünï "$HOME" (%41) #1');
  copyProject(checkout);
  const [out, usual] = [join(checkout, 'cdk.out'), join(home, 'usual')];
  const cdk = join(project, 'node_modules/aws-cdk/bin/cdk');
  const synth = (cwd: string, ...more: string[]) => {
    // cdk reports broken rules only if stacks are selected.
    const args = [cdk, 'synth', '*/*', '--quiet', ...more];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd,
      env: {
        PATH: `${join(home, 'bin')}:${process.env.PATH}`,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(renamedNode)}`,
        HOME: home,
        TMPDIR: home,
      },
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };
  // The Node that comes first in the PATH cannot run TypeScript, as Node 20 cannot.
  const bin = join(home, 'bin');
  mkdirSync(bin);
  const otherNode = `#!/bin/sh\ncase "$1" in *.ts) exit 1;; esac\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(join(bin, 'node'), otherNode, { mode: 0o755 });
  // This Node's path has characters that are special to shells, too. Node itself follows links.
  const linkedNode = join(bin, "it's $node");
  symlinkSync(process.execPath, linkedNode);
  const renamedNode = `process.execPath=${JSON.stringify(linkedNode)}`;
  // An operator's umask may hide new files from other users, and Lambda runs as another user.
  const umask = process.umask(0o077);
  expect(synth(checkout)).toEqual({
    status: 0,
    output: expect.not.stringMatching(/warning|deprecated|docker/i),
  });
  process.umask(umask);
  const modes = globSync('asset.*/*', { cwd: out }).map(
    (file) => statSync(join(out, file)).mode & 0o777,
  );
  expect(modes).toEqual(Array(6).fill(0o644));
  expect(synth(project, '--output', usual).status).toBe(0);
  expect(withoutCommit(readAssembly(out))).toEqual(withoutCommit(readAssembly(usual)));
  // infra/app.ts has the same stages and bundles as the app of the tests, whatever its settings
  // are.
  expect(Object.keys(readAssembly(out)).sort()).toEqual(Object.keys(readAssembly(assembly)).sort());
  // Whatever else an operator sets, prod keeps its tables.
  expectProtectedProd(out);

  // The CDK has written no telemetry.
  expect(globSync('cdk-telemetry*', { cwd: home })).toEqual([]);

  // This leaves a broken rule of the AWS Solutions pack without its acknowledgment.
  const routes = join(checkout, 'infra/api/fallback-routes.ts');
  writeFileSync(
    routes,
    readFileSync(routes, 'utf8').replace('AwsSolutions-APIG4', 'AwsSolutions-APIG1'),
  );
  expect(synth(checkout)).toEqual({
    status: 1,
    output: expect.stringContaining('AwsSolutions-APIG4'),
  });
});
