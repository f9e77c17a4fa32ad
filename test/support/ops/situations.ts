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
//     > shows requests               each request to the table is shown; after the others of these
//
// and for the next command alone:
//
//     > input TEXT                   what is piped to it
//     > file NAME TEXT               a file in FOLDER
//     > types y                      what is typed when it asks; perhaps `after SITUATION`
//     > screen                       its output goes to a terminal
//     > output fails ENOSPC          how each write of its output fails
//     > environment {"NAME":"x"}     its variables
//
// A TEXT is in JSON, or `csv 1,7,sold`, or `printed` for what was printed last, or `file NAME`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiKey, hashApiKey } from '../../../functions/keys/api-key.ts';
import type { Passing } from '../dynamodb/dynamodb-proxy.ts';
import { arrange, type Play, repeated, whole } from '../recorded.ts';
import { csv, type inventoryStage } from './inventory.ts';
import { type keysStage, shop } from './keys.ts';
import type { PetstoreOptions } from './petstore.ts';
import { now } from './stage.ts';

export interface Session {
  stage: ReturnType<typeof keysStage> | ReturnType<typeof inventoryStage>;
  /** What is given for the next command alone. */
  options: PetstoreOptions;
  /** What the last command has printed. */
  printed: string;
  /** What it has waited for and asked, in order. */
  events: string[];
}

type Situations = Play['situations'];
type React = Session['stage']['react'];
/** Makes another situation, unless it is empty. */
type Make = (situation: string) => Promise<void>;

const folder = process.env.TEST_RUN_DIRECTORY ?? '';
const key = createApiKey('staging');

/** Returns a text with all written out that stands for something else. */
export const filled = ({ stage }: Session, text: string): string =>
  repeated(text)
    .replaceAll('petstore_staging_KEY', key)
    .replaceAll('petstore_prod_KEY', createApiKey('prod'))
    .replaceAll('HASH_OF_KEY', hashApiKey(key))
    .replaceAll('FOLDER', folder)
    .replaceAll('INVENTORY_TABLE', stage.tables.inventory);

/** Returns what JSON says, in which `now-60` is a time. */
const objectOf = <Value extends object>(session: Session, json: string): Value =>
  JSON.parse(
    filled(session, json).replaceAll(/(?<=:)now([+-]\d+)?/g, (_all, later = 0) =>
      String(now + Number(later)),
    ),
  );

/** Returns the first word and the rest of a text. */
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

/** What is in the table. */
const contents = (session: Session): Situations => {
  const { stage } = session;
  if ('entries' in stage) {
    return {
      entries: (text) => stage.put(...entriesOf(text)),
      'no entries': (petIds) => Promise.all(petIds.split(' ').map(stage.remove)),
      item: (json) =>
        stage.client.putItem({
          TableName: stage.tables.inventory,
          Item: objectOf(session, json),
        }),
    };
  }
  const put = (record: object) =>
    stage.put(Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)));
  return {
    key: (json) => put({ ...shop, ...objectOf(session, json || '{}') }),
    record: (json) => put(objectOf(session, json)),
    'no key': () => stage.remove(shop),
  };
};

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

/** Looks up one key of a BatchGetItem, and leaves the others. */
const leaveKeys: React = async ({ body, forward }) => {
  const [[table = '', request] = []] = Object.entries<{ Keys: object[] }>(body.RequestItems);
  const Keys = request?.Keys.splice(1) ?? [];
  const { status, body: found } = await forward();
  return { status, body: { ...found, UnprocessedKeys: { [table]: { ...request, Keys } } } };
};

/** What happens to the requests of commands. */
const happenings = ({ stage, events }: Session, make: Make): Situations => {
  /** Reacts to the requests of one kind, which are counted from 1. */
  const reactTo = (kind: string, to: (passing: Passing, count: number) => ReturnType<React>) => {
    let count = 0;
    stage.react = (passing) => {
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
          events.push(`sends ${kind} again`);
        }
        return response;
      });
    },
    fails: (text) => {
      const [kind = '', name, , times = Number.POSITIVE_INFINITY] = text.split(' ');
      const body = { __type: `x#${name}`, message: `It is the ${name}` };
      reactTo(kind, async ({ forward }, count) =>
        count <= Number(times) ? { status: 400, body } : forward(),
      );
    },
    'nothing fails': () => {
      stage.react = ({ forward }) => forward();
    },
    'leaves keys': () =>
      reactTo('BatchGetItem', (passing, count) =>
        count === 1 ? leaveKeys(passing) : passing.forward(),
      ),
    'shows requests': () => {
      const { react } = stage;
      stage.react = (passing) => {
        events.push(shownRequest(passing));
        return react(passing);
      };
    },
  };
};

/** What is given for the next command alone. */
const givenNext = (session: Session, make: Make): Situations => {
  const textOf = (text: string): string => {
    const [kind, rest] = split(text);
    switch (kind) {
      case 'csv':
        return csv(...entriesOf(rest));
      case 'printed':
        return session.printed;
      case 'file':
        return readFileSync(join(folder, rest), 'utf8');
      default:
        return JSON.parse(filled(session, text));
    }
  };
  const give = (options: PetstoreOptions) => Object.assign(session.options, options);
  return {
    input: (text) => give({ input: textOf(text) }),
    file: (text) => {
      const [name, content] = split(text);
      writeFileSync(join(folder, name), textOf(content));
    },
    types: (text) => {
      const [typed = '', situation = ''] = text.split(/ after (.*)/);
      give({ typed: () => make(situation).then(() => typed) });
    },
    screen: () => give({ isTTY: true }),
    'output fails': (fails) => give({ fails: fails as 'ENOSPC' | 'EPIPE' }),
    environment: (json) => give({ env: objectOf(session, json) }),
  };
};

/** Returns the situations of a session. */
export const situationsOf = (session: Session): Situations => {
  const make: Make = async (situation) => {
    if (situation !== '') {
      await arrange({ situations }, situation);
    }
  };
  const situations = {
    ...contents(session),
    ...happenings(session, make),
    ...givenNext(session, make),
  };
  return situations;
};
