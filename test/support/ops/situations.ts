// The situations of sessions. A line with > begins with one of these words:
//
//     > entries 1,7,sold 2,8,-       these are there; 0..21,1,sold stands for 22
//     > no entries 1 2               these are not
//     > item {"petId":{"N":"1"}}     an entry with any attributes
//     > key {"expiresAt":now+60}     a key like `shop`, but for this; null is what it lacks
//     > record {"keyHash":"1"}       a record of keys that has only this
//     > no key                       the key `shop` is not there
//
//     > before UpdateItem SITUATION  another situation begins as the first UpdateItem arrives
//     > loses UpdateItem             the response to the first is lost; perhaps `after SITUATION`
//     > fails UpdateItem Name × 2    the first two get this error; without a number, all do
//     > nothing fails                any more
//     > leaves keys                  the first BatchGetItem looks up one key, and leaves the others
//     > shows requests               each request to the tables is shown
//
// and for the next command alone:
//
//     > input TEXT                   what is piped to it
//     > file NAME TEXT               a file in FOLDER
//     > types y                      what is typed when it asks; perhaps `after SITUATION`
//     > screen                       its output goes to a terminal
//     > output fails ENOSPC          how each write of its output fails
//     > environment {"NAME":"x"}     its variables
//     > only lines REGEXP            of its errors, in the order of the alphabet
//
// A TEXT is in JSON, or `csv 1,7,sold`, or `printed` for what was printed last, or `file NAME`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import type { Passing } from '../dynamodb/dynamodb-proxy.ts';
import { arrange, type Play, repeated, whole } from '../recorded.ts';
import { csv, type inventoryStage } from './inventory.ts';
import { type keysStage, now, shop } from './keys.ts';
import type { PetstoreOptions } from './petstore.ts';

export interface Stages {
  keys: ReturnType<typeof keysStage>;
  inventory: ReturnType<typeof inventoryStage>;
}

type React = Stages['keys']['react'];

/** What is given for the next command alone. */
export interface Next {
  options: PetstoreOptions;
  /** Only these lines of its errors are shown, in the order of the alphabet. */
  only?: RegExp | undefined;
}

const folder = process.env.TEST_RUN_DIRECTORY ?? '';

/** Returns the name and the rest of a text. */
const split = (text: string): [string, string] => {
  const [, name = '', rest = ''] = /^(\S+) ?(.*)$/s.exec(text) ?? [];
  return [name, rest];
};

/** Returns entries, of which `0..2,1,sold` stands for three. */
const entriesOf = (text: string): string[] =>
  whole(text)
    .split(' ')
    .flatMap((entry) => {
      const [, last, rest = ''] = /^0\.\.(\d+)(.*)$/.exec(entry) ?? [];
      return last === undefined
        ? [entry]
        : Array.from({ length: Number(last) + 1 }, (_, petId) => `${petId}${rest}`);
    });

/** Returns a request to a table in words. */
const shownRequest = ({ operation, body }: Passing): string => {
  const [batch] = Object.values<object>(body.RequestItems ?? {});
  const { ConsistentRead, Key, Keys, ExclusiveStartKey } = { ...body, ...batch };
  return [
    operation,
    ...(ConsistentRead ? ['consistently'] : []),
    ...(Key ? [JSON.stringify(Key)] : []),
    ...(Keys ? [`${Keys.length} keys from ${JSON.stringify(Keys[0])}`] : []),
    ...(ExclusiveStartKey ? ['the next page'] : []),
  ].join(' ');
};

/** Returns what the names in capitals stand for. Each session has keys of its own. */
const namesOf = ({ keys, inventory }: Stages): (() => Record<string, string>) => {
  const key = createApiKey('staging');
  const ofProd = createApiKey('prod');
  return () => ({
    petstore_staging_KEY: key,
    petstore_prod_KEY: ofProd,
    HASH_OF_KEY: hashApiKey(key),
    NEW_ID: /[0-9a-f]{16}/.exec(keys.printed)?.[0] ?? '',
    FOLDER: folder,
    INVENTORY_TABLE: inventory.tables.inventory,
  });
};

type Situations = Play['situations'];

/** What the words of a session work on. */
interface Scene {
  stages: Stages;
  /** Returns what is given for the next command. */
  next: () => Next;
  /** Returns what the last command has printed. */
  printed: () => string;
  /** Shows an event. */
  show: (event: string) => void;
  /** Makes another situation, unless it is empty. */
  make: (situation: string) => Promise<void>;
  /** Returns a text with all written out that stands for something else. */
  filled: (text: string) => string;
  /** Returns what JSON says, in which `now-60` is a time. */
  objectOf: <Value extends object>(json: string) => Value;
}

/** What is in the tables. */
const contents = ({ stages: { keys, inventory }, objectOf }: Scene): Situations => {
  const putKey = (record: object) =>
    keys.put(Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)));
  return {
    entries: (text) => inventory.put(...entriesOf(text)),
    'no entries': async (petIds) => {
      for (const petId of petIds.split(' ')) {
        await inventory.remove(petId);
      }
    },
    item: (json) =>
      inventory.client.putItem({ TableName: inventory.tables.inventory, Item: objectOf(json) }),
    key: (json) => putKey({ ...shop, ...objectOf(json || '{}') }),
    record: (json) => putKey(objectOf(json)),
    'no key': () => keys.remove(shop),
  };
};

/** Looks up one key of a BatchGetItem, and leaves the others. */
const leaveKeys: React = async ({ body, forward }) => {
  const [[table = '', request] = []] = Object.entries<{ Keys: object[] }>(body.RequestItems);
  const Keys = request?.Keys.splice(1) ?? [];
  const { status, body: found } = (await forward()) as { status: number; body: object };
  return { status, body: { ...found, UnprocessedKeys: { [table]: { ...request, Keys } } } };
};

/** What happens to the requests of commands. */
const happenings = ({ stages: { keys, inventory }, show, make }: Scene): Situations => {
  const passOn: React = ({ forward }) => forward();
  let react = passOn;
  let showsRequests = false;
  keys.react = inventory.react = (passing) => {
    if (showsRequests) {
      show(shownRequest(passing));
    }
    return react(passing);
  };
  /** Reacts to the requests of one kind, which are counted from 1. */
  const reactTo = (kind: string, to: (passing: Passing, count: number) => ReturnType<React>) => {
    let count = 0;
    react = (passing) => {
      count += passing.operation === kind ? 1 : 0;
      return passing.operation === kind ? to(passing, count) : passing.forward();
    };
  };
  return {
    before: (text) => {
      const [kind, situation] = split(text);
      let made: Promise<void> | undefined;
      reactTo(kind, async ({ forward }) => {
        made ??= make(situation);
        await made;
        return forward();
      });
    },
    loses: (text) => {
      const [kind, situation] = split(text.replace(' after ', ' '));
      reactTo(kind, async ({ forward }, count) => {
        const response = await forward();
        if (count === 1) {
          await make(situation);
          return undefined;
        }
        // On a busy machine, a client may send it a third time.
        if (count === 2) {
          show(`sends ${kind} again`);
        }
        return response;
      });
    },
    fails: (text) => {
      const [kind, error] = split(text);
      const [name = '', times = Number.POSITIVE_INFINITY] = error.split(' × ');
      const status = name === 'InternalServerError' ? 500 : 400;
      const body = { __type: `x#${name}`, message: `It is the ${name}` };
      reactTo(kind, async ({ forward }, count) =>
        count <= Number(times) ? { status, body } : forward(),
      );
    },
    'nothing fails': () => {
      react = passOn;
    },
    'leaves keys': () =>
      reactTo('BatchGetItem', (passing, count) => (count === 1 ? leaveKeys : passOn)(passing)),
    'shows requests': () => {
      showsRequests = true;
    },
  };
};

/** What is given for the next command alone. */
const givenNext = ({ next, printed, make, filled, objectOf }: Scene): Situations => {
  const textOf = (text: string): string => {
    const [kind, rest] = split(text);
    const kinds: Record<string, () => string> = {
      csv: () => csv(...entriesOf(rest)),
      printed,
      file: () => readFileSync(join(folder, rest), 'utf8'),
    };
    return kinds[kind]?.() ?? JSON.parse(filled(text));
  };
  const give = (options: PetstoreOptions) => Object.assign(next().options, options);
  return {
    input: (text) => give({ input: textOf(text) }),
    file: (text) => {
      const [name, content] = split(text);
      writeFileSync(join(folder, name), textOf(content));
    },
    types: (text) => {
      const [typed = '', situation = ''] = text.split(/ after (.*)/);
      give({ typed: () => make(situation).then(() => `${typed}\r`) });
    },
    screen: () => give({ isTTY: true }),
    'output fails': (fails) => give({ fails: fails as 'ENOSPC' | 'EPIPE' }),
    environment: (json) => give({ env: objectOf(json) }),
    'only lines': (pattern) => Object.assign(next(), { only: new RegExp(pattern) }),
  };
};

/** Returns the situations of a session, and what writes out the names in its commands. */
export const situationsOf = (given: Pick<Scene, 'stages' | 'next' | 'printed' | 'show'>) => {
  const names = namesOf(given.stages);
  const filled = (text: string): string =>
    repeated(text).replaceAll(
      /petstore_(staging|prod)_KEY|HASH_OF_KEY|NEW_ID|FOLDER|INVENTORY_TABLE/g,
      (name) => names()[name] ?? '',
    );
  const scene: Scene = {
    ...given,
    filled,
    objectOf: (json) =>
      JSON.parse(
        filled(json).replaceAll(/(?<=:)now([+-]\d+)?/g, (_all, later) =>
          String(now + Number(later ?? 0)),
        ),
      ),
    make: async (situation) => {
      if (situation !== '') {
        await arrange({ situations }, situation);
      }
    },
  };
  const situations = { ...contents(scene), ...happenings(scene), ...givenNext(scene) };
  return { situations, filled };
};
