import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startRun } from '../../support/local/local-run.ts';
import { atEnd } from '../../support/process/at-end.ts';
import { project } from '../../support/process/tools.ts';
import { until } from '../../support/process/until.ts';

const run = await startRun(['--inspect', '0']);

interface Script {
  url: string;
  sourceMapURL: string;
}

/** Attaches to the inspector of a function, as a debugger does. */
const attachTo = async (name: string) => {
  const [, port] =
    new RegExp(`^Debugger for ${name}: 127\\.0\\.0\\.1:(\\d+)$`, 'm').exec(run.output) ?? [];
  const targets = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  const [{ webSocketDebuggerUrl }] = targets as [{ webSocketDebuggerUrl: string }];
  const socket = new WebSocket(webSocketDebuggerUrl);
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

test('a breakpoint in a source may hold a function for longer than any time limit', async () => {
  const { scripts, paused, send } = await attachTo('UpdateInventory');
  await send('Debugger.enable');
  const script = await until('the bundle', () =>
    scripts.find(({ url }) => url.endsWith('/index.js')),
  );
  const source = 'functions/inventory/parse-update.ts';
  const { sourceFile, lineNumber } = placeOf(script, source, 'const { quantity } = value;');
  expect(sourceFile).toBe(`${project}/${source}`);
  const { url } = script;
  const { breakpointId } = await send('Debugger.setBreakpointByUrl', { url, lineNumber });

  const response = run.patch(1, '{"quantity":3}');
  expect((await paused).hitBreakpoints).toStrictEqual([breakpointId]);
  // The function's own time limit is 10 s, and API Gateway's 29.
  await sleep(30_000);
  // Not awaited, because a function that has been killed would never answer.
  void send('Debugger.resume');
  expect(await response).toMatchObject({ status: 200 });
});
