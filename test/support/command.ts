import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { ended } from './local-run.ts';

const project = join(import.meta.dirname, '../..');

/** A directory that goes when the tests of the file are through. */
export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-ops-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
};

const home = temporaryDirectory();

/** Runs ops/<name>.ts as npm does, with no environment but this, and waits for its end. */
export const runCommand = async (name: string, args: string[], environment = {}, input = '') => {
  const child = spawn(process.execPath, [join(project, `ops/${name}.ts`), ...args], {
    env: { PATH: process.env.PATH, HOME: home, ...environment },
  });
  child.stdin.end(input);
  return ended(child);
};
