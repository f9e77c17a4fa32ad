import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { watchSources } from '../../../ops/start/watched-sources.ts';

/** Returns how many directories this process watches, once those that it no longer does are gone. */
const watching = async (): Promise<number> => {
  await setImmediate();
  await setImmediate();
  return process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
};

test('each directory is watched once, also after changes and in new directories', async () => {
  const project = mkdtempSync(join(tmpdir(), 'petstore-watched-'));
  mkdirSync(join(project, 'functions/http'), { recursive: true });
  mkdirSync(join(project, 'infra'));
  const before = await watching();
  let changed = Promise.withResolvers<void>();
  const { close } = watchSources(() => changed.resolve(), project);
  expect(await watching()).toBe(before + 3);

  for (const path of ['functions/keys', 'functions/http/keys']) {
    changed = Promise.withResolvers<void>();
    mkdirSync(join(project, path));
    await changed.promise;
  }
  expect(await watching()).toBe(before + 5);

  changed = Promise.withResolvers<void>();
  writeFileSync(join(project, 'functions/keys/new.ts'), '');
  await changed.promise;
  expect(await watching()).toBe(before + 5);

  close();
  expect(await watching()).toBe(before);
});
