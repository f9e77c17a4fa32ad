import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { childProcesses } from '../../support/process/child-processes.ts';
import { projectCopy } from '../../support/process/project-copy.ts';

const project = projectCopy();
const run = await startRun(['--inspect', '0'], { CDK_APP: undefined }, project);

interface Script {
  url: string;
  sourceMapURL: string;
}

/** Attaches to the inspector of a function, as a debugger does. */
const attachTo = async (name: string) => {
  const [, url = ''] =
    new RegExp(`^Inspector of ${name}: (ws://127\\.0\\.0\\.1:\\d+/\\S+)$`, 'm').exec(run.output) ??
    [];
  const socket = new WebSocket(url);
  atEnd(() => socket.close());
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const scripts: Script[] = [];
  const paused = Promise.withResolvers<{ hitBreakpoints: string[] }>();
  const answers = new Map<number, (result: { breakpointId: string }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, method, params, result } = JSON.parse(data);
    if (method === 'Debugger.scriptParsed') {
      scripts.push(params);
    } else if (method === 'Debugger.paused') {
      paused.resolve(params);
    }
    answers.get(id)?.(result);
  });
  const send = (method: string, params = {}) =>
    new Promise<{ breakpointId: string }>((resolve) => {
      const id = answers.size + 1;
      answers.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { scripts, paused: paused.promise, send };
};

/** Returns where the code of a line of a source begins in a script, by the script's source map. */
const placeOf = ({ url, sourceMapURL }: Script, source: string, text: string) => {
  const map = JSON.parse(readFileSync(new URL(sourceMapURL, url), 'utf8'));
  const path = map.sources.find((name: string) => name.endsWith(source));
  const sourceFile = new URL(path, map.sourceRoot);
  const line = readFileSync(sourceFile, 'utf8')
    .split('\n')
    .findIndex((each) => each.includes(text));
  const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
  const sourceMap = new SourceMap(map);
  const lineNumber = lines.findIndex((code, index) => {
    const entry = sourceMap.findEntry(index, code.search(/\S/));
    return 'originalLine' in entry && entry.originalSource === path && entry.originalLine === line;
  });
  return { sourceFile: fileURLToPath(sourceFile), lineNumber };
};

test('a breakpoint in a source is hit, and the request waits for as long as it takes', async () => {
  const { scripts, paused, send } = await attachTo('UpdateInventory');
  await send('Debugger.enable');
  const script = scripts.find(({ url }) => url.endsWith('/index.js')) ?? {
    url: '',
    sourceMapURL: '',
  };
  const source = 'functions/inventory/parse-update.ts';
  const { sourceFile, lineNumber } = placeOf(script, source, 'const { quantity } = value;');
  expect(sourceFile).toBe(`${project}/${source}`);
  const { breakpointId } = await send('Debugger.setBreakpointByUrl', {
    url: script.url,
    lineNumber,
  });

  const response = run.patch(1, '{"quantity":3}');
  expect((await paused).hitBreakpoints).toEqual([breakpointId]);
  await send('Debugger.resume');
  expect(await response).toMatchObject({ status: 200 });
});

test('the ports of .vscode/launch.json are those of the functions of these names', () => {
  const { configurations } = JSON.parse(readFileSync('.vscode/launch.json', 'utf8'));
  const attached = configurations.filter(
    ({ request }: { request: string }) => request === 'attach',
  );
  const [...names] = run.output.matchAll(/^Inspector of (\w+): /gm);
  // Without a port, the first function has 9229, and each other the next one.
  expect(attached.map(({ name, port }: { name: string; port: number }) => [name, port])).toEqual(
    names.map(([, name], index) => [name, 9229 + index]),
  );
});

test('each function has one instance, however many requests wait for it', async () => {
  const responses = Array.from({ length: 5 }, () => run.send({ path: '/inventory' }));
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(childProcesses(run.process.pid)).toHaveLength(3);
});
