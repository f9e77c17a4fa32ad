import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, jest, test } from '@jest/globals';

// What a person types and sees, and what the tables then hold. A file of sessions reads:
//
//     # what the session shows
//     > what is there before, or happens meanwhile, in JavaScript: `tablesScope` and `nextScope` have
//     > the helpers
//     local$ keys revoke 1111111111111111
//     | a line of standard output
//     ! a line of standard error
//     = the exit code, unless it is 0
//     ~ what the command waits for, and what a helper shows
//     - {"what a table no longer holds"}
//     + {"what it holds now"}
//
// `prod$` is a command on a deployed prod, and `$` one without a target. All that comes after a command
// is compared as a whole: what is not there did not happen. Only the line that tells the stage is left
// out where it belongs, and is missed as (no stage). `UPDATE_SESSIONS=1 npm test -- test/ops` writes
// the files anew: read their diff.

/** What a session has waited for and asked, in order. */
const events: string[] = [];

const timers = await import('node:timers/promises');
jest.unstable_mockModule('node:timers/promises', () => ({
  ...timers,
  setTimeout: async (milliseconds: number) => void events.push(`waits ${milliseconds} ms`),
}));
const { createApiKey, hashApiKey } = await import('../../../functions/keys/api-key.ts');
const { inventoryStage, csv } = await import('./inventory.ts');
const { keysStage, now, onLocal, onProd, shop } = await import('./keys.ts');
const { petstore } = await import('./petstore.ts');

type Options = NonNullable<Parameters<typeof petstore>[1]>;
type Passing = Parameters<ReturnType<typeof keysStage>['react']>[0];

const isGiven = (line: string): boolean => /^(# |> |(local|prod|)\$ )/.test(line);

/** Returns the words of a line: text without blanks, text in ' as it is, or in " as in JSON. */
const wordsOf = (line: string): string[] =>
  (line.match(/"(?:\\.|[^"])*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.startsWith('"') ? JSON.parse(word) : word.replace(/^'(.*)'$/s, '$1'),
  );

/** Returns a text of which a reader sees every character, and what is repeated only once. */
const seen = (line: string): string =>
  line
    .replaceAll(/\p{Cc}/gu, (character) => `\\x${Buffer.from(character).toString('hex')}`)
    .replaceAll(/(.{1,11}?)\1{31,}/gu, (all, part) => `(${part} × ${all.length / part.length})`);

/** Returns the lines of a text, each with a mark before it. */
const marked = (mark: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${mark} ${seen(line)}`.trimEnd());

/** Returns what is in one list and not in the other, which may have it as often. */
const without = (list: string[], other: string[]): string[] => {
  const rest = [...other];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    return at < 0 || rest.splice(at, 1).length === 0;
  });
};

const onStage: Record<string, string> = { local: onLocal, prod: onProd };

/** Returns the lines of standard error, without the one that every command on a stage prints. */
const shownErrors = (target: string, errors: string): string[] => {
  const stage = onStage[target] ?? '';
  const known = errors.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID');
  return known.startsWith(stage)
    ? marked('!', known.slice(stage.length))
    : ['! (no stage)', ...marked('!', known)];
};

type Stages = { keys: ReturnType<typeof keysStage>; inventory: ReturnType<typeof inventoryStage> };

/** Returns an item as JSON. Each engine has its own order of attributes. */
const sortedJson = (item: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Returns the entries, each as `1,7,sold`; with all it has if that does not say everything. */
const entriesIn = async ({ client, tables }: Stages['inventory']): Promise<string[]> => {
  const { Items = [] } = await client.scan({ TableName: tables.inventory });
  return Items.map((item) => {
    const { petId, quantity = { N: '-' }, status = { S: '-' }, ...others } = item;
    const isPlain = quantity.N && status.S && Object.keys(others).length === 0;
    return isPlain ? [petId?.N, quantity.N, status.S].join() : sortedJson(item);
  });
};

/** Returns what both tables hold, a line each. Times are told from `now`. */
const heldBy = async ({ keys, inventory }: Stages): Promise<string[]> => {
  const records = (await keys.records()).map((record) =>
    sortedJson(record).replaceAll(/(?<=:)1[78]\d{8}(?=[,}])/g, (time) => {
      const later = Number(time) - now;
      return later === 0 ? 'now' : `now${later > 0 ? '+' : ''}${later}`;
    }),
  );
  return [...records, ...(await entriesIn(inventory))].sort();
};

/** What the lines with > may do to the tables, and see of requests to them. */
const tablesScope = ({ keys, inventory }: Stages) => {
  const reacting = (react: (passing: Passing) => unknown) => {
    keys.react = inventory.react = react as typeof keys.react;
  };
  /** Reacts to the requests of one kind, which are counted from 1. */
  const reactingTo = (operation: string, react: (passing: Passing, count: number) => unknown) => {
    let count = 0;
    reacting((passing) => {
      count += passing.operation === operation ? 1 : 0;
      return passing.operation === operation ? react(passing, count) : passing.forward();
    });
  };
  return {
    /** Puts keys, as objects, or entries, as `1,7,sold`. */
    put: async (...all: (object | string)[]) => {
      await keys.put(...all.filter((each) => typeof each === 'object'));
      await inventory.put(...all.filter((each) => typeof each === 'string'));
    },
    /** Puts an entry with any attributes. */
    item: (Item: Record<string, AttributeValue>) =>
      inventory.client.putItem({ TableName: inventory.tables.inventory, Item }),
    remove: (one: string | typeof shop) =>
      typeof one === 'string' ? inventory.remove(one) : keys.remove(one),
    inventoryTable: () => inventory.tables.inventory,
    reacting,
    /** Does something before the first request of a kind arrives, as somebody else could. */
    before: (operation: string, work: () => Promise<unknown>) =>
      reactingTo(operation, async ({ forward }, count) => {
        await (count === 1 && work());
        return forward();
      }),
    /**
     * Loses the response to the first request of a kind, after something else has happened. Shows
     * when it is sent again.
     */
    lose: (operation: string, meanwhile?: () => Promise<unknown>) =>
      reactingTo(operation, async ({ forward }, count) => {
        const response = await forward();
        if (count === 1) {
          await meanwhile?.();
          return undefined;
        }
        // On a busy machine, a client may send it a third time.
        if (count === 2) {
          events.push(`sends ${operation} again`);
        }
        return response;
      }),
    /** Answers the first requests of a kind with an error of DynamoDB, or all of them. */
    fail: (operation: string, name: string, times = Infinity) =>
      reactingTo(operation, ({ forward }, count) => {
        const status = name === 'InternalServerError' ? 500 : 400;
        const body = { __type: `x#${name}`, message: `It is the ${name}` };
        return count <= times ? { status, body } : forward();
      }),
    /** Shows each request to the tables, or what this makes of it. */
    trace: (show = ({ operation, body }: Passing): unknown => [operation, body.ConsistentRead]) =>
      reacting((passing) => {
        events.push([show(passing)].flat().join(' '));
        return passing.forward();
      }),
  };
};

/** What is given for the next command alone. */
interface Next {
  options: Options;
  /** Only these lines of its errors are shown, in the order of the alphabet. */
  only?: RegExp;
}

const nextScope = (next: Next) => ({
  input: (input: string) => Object.assign(next.options, { input }),
  typed: (typed: Options['typed']) => Object.assign(next.options, { typed }),
  screen: () => Object.assign(next.options, { isTTY: true }),
  env: (env: Options['env']) => Object.assign(next.options, { env }),
  fails: (fails: Options['fails']) => Object.assign(next.options, { fails }),
  only: (only: RegExp) => Object.assign(next, { only }),
  show: (event: string) => events.push(event),
  /** Writes a file. Returns its path. */
  save: (name: string, text: string): string => {
    const path = join(process.env.TEST_RUN_DIRECTORY ?? '', name);
    writeFileSync(path, text);
    return path;
  },
  content: (path: string): string => readFileSync(path, 'utf8'),
});

/**
 * Returns the lines that match, in the order of the alphabet: which of them comes first, and so
 * begins with the program's name, depends on the engine.
 */
const sortedErrors = (errors: string[], only: RegExp): string[] =>
  errors
    .filter((each) => only.test(each))
    .map((each) => each.replace(/^! petstore: /, '! '))
    .sort();

/** Runs a command line. Returns what a person sees of it, and what it has changed. */
const commandLine = async (stages: Stages, target: string, words: string[], next: Next) => {
  const before = await heldBy(stages);
  // What the test itself has waited for.
  events.length = 0;
  const [group = '', ...line] = words;
  const stage = stages[group as keyof Stages];
  const result =
    target === ''
      ? await petstore(words, next.options)
      : await stage[target as 'local' | 'prod'](line, next.options);
  if (result.errors.includes('choose a target')) {
    throw new Error(`It lacks local$ or prod$: ${words.join(' ')}`);
  }
  const after = await heldBy(stages);
  const errors = shownErrors(target, result.errors);
  const { only } = next;
  return [
    ...marked('|', result.output),
    ...(only ? sortedErrors(errors, only) : errors),
    ...(result.code === 0 ? [] : [`= ${result.code}`]),
    ...marked('~', events.join('\n')),
    ...marked('-', without(before, after).join('\n')),
    ...marked('+', without(after, before).join('\n')),
  ];
};

/** What a test has written must not be lost when the file is written anew. */
const refuseUnknown = (lines: string[]): void => {
  const unknown = lines.find(
    (line) => line !== '' && !isGiven(line) && !/^[|!=~+-]( |$)/.test(line),
  );
  if (unknown !== undefined) {
    throw new Error(`A line begins with no mark: ${unknown}`);
  }
};

/** Returns a session as it goes now. */
const played = async (stages: Stages, given: string[]): Promise<string> => {
  const shown: string[] = [];
  const next: Next = { options: {} };
  const scope: Record<string, unknown> = {
    ...{ now, shop, csv, createApiKey, hashApiKey },
    ...tablesScope(stages),
    ...nextScope(next),
  };
  // A name that a session gives to something is known in its later lines.
  const names = new Proxy(scope, { has: (_scope, name) => !(name in globalThis) });
  for (const line of given) {
    shown.push(line);
    const [, target = '', rest = ''] = /^(local|prod|)\$ (.*)$/s.exec(line) ?? [];
    if (line.startsWith('> ')) {
      const code = `with (names) return (async () => { ${line.slice(2)} })()`;
      await new Function('names', code)(names);
    } else if (rest !== '') {
      const filled = rest.replaceAll(/\{\{(\w+)\}\}/g, (_all, name) => String(scope[name]));
      shown.push(...(await commandLine(stages, target, wordsOf(filled), next)));
      scope.printed = stages[filled.split(' ', 1)[0] as keyof Stages]?.printed;
      Object.assign(next, { options: {}, only: undefined });
    }
  }
  return shown.join('\n');
};

/** Makes a test of each session in the files of a folder. */
export const sessions = (folder: string): void => {
  const stages = { keys: keysStage(), inventory: inventoryStage() };
  for (const name of globSync('*.session', { cwd: folder }).sort()) {
    const file = join(folder, name);
    const blocks = readFileSync(file, 'utf8')
      .trimEnd()
      .split(/\n+(?=# )/);
    for (const [index, block] of blocks.entries()) {
      const lines = block.split('\n');
      test(block.slice('# '.length, block.indexOf('\n')), async () => {
        refuseUnknown(lines);
        blocks[index] = await played(stages, lines.filter(isGiven));
        if (!process.env.UPDATE_SESSIONS) {
          expect(blocks[index]).toBe(block);
        }
      });
    }
    if (process.env.UPDATE_SESSIONS) {
      afterAll(() => writeFileSync(file, `${blocks.join('\n\n')}\n`));
    }
  }
};
