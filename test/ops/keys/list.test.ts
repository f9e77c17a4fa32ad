import { expect, test } from '@jest/globals';
import { keysStage, now, onLocal } from '../../support/ops/keys.ts';

const stage = keysStage();

const day = 86_400;
const dashboard = { name: 'dashboard', access: 'read' };
const [works, reads] = [
  { keyHash: '1', keyId: '1'.repeat(16), name: 'shop', createdAt: now - 5 * day },
  { keyHash: '2', readOnlyKeyId: '2'.repeat(16), ...dashboard, createdAt: now - 4 * day },
];
const [expired, revoked] = [
  { keyHash: '3', readOnlyKeyId: '3'.repeat(16), ...dashboard, createdAt: now - 3 * day },
  { keyHash: '4', keyId: '4'.repeat(16), name: 'shop', createdAt: now - 2 * day },
];
const all = [
  { ...revoked, expiresAt: now + day, revokedAt: now - day },
  works,
  { ...expired, expiresAt: now },
  { ...reads, expiresAt: now + 1 },
];

const head =
  'ID                ACCESS  STATE    CREATED               ENDS                  NAME\n';
const active = `\
1111111111111111  write   active   2027-01-10T08:00:00Z  -                     shop
2222222222222222  read    active   2027-01-11T08:00:00Z  2027-01-15T08:00:01Z  dashboard
`;

test('list shows every key, the oldest first: what it may do, and when it ends', async () => {
  await stage.put(...all);
  expect(await stage.local(['list'])).toStrictEqual({
    code: 0,
    output: `\
${head}${active}\
3333333333333333  read    expired  2027-01-12T08:00:00Z  2027-01-15T08:00:00Z  dashboard
4444444444444444  write   revoked  2027-01-13T08:00:00Z  2027-01-14T08:00:00Z  shop
`,
    errors: onLocal,
  });
});

test('list --active shows only the keys that work', async () => {
  await stage.put(...all);
  const { output } = await stage.local(['list', '--active']);
  expect(output).toBe(
    head.replace('STATE    ', 'STATE   ') + active.replaceAll('active   ', 'active  '),
  );
});

test('list --json prints all of each key but the key and its hash', async () => {
  await stage.put(...all);
  const { output } = await stage.local(['list', '--json']);
  expect(output.replace('[{', '{').replace('}]', '}').replaceAll('},{', '}\n{')).toBe(`\
{"id":"1111111111111111","name":"shop","access":"write","state":"active","created":"2027-01-10T08:00:00Z","expires":null,"revoked":null}
{"id":"2222222222222222","name":"dashboard","access":"read","state":"active","created":"2027-01-11T08:00:00Z","expires":"2027-01-15T08:00:01Z","revoked":null}
{"id":"3333333333333333","name":"dashboard","access":"read","state":"expired","created":"2027-01-12T08:00:00Z","expires":"2027-01-15T08:00:00Z","revoked":null}
{"id":"4444444444444444","name":"shop","access":"write","state":"revoked","created":"2027-01-13T08:00:00Z","expires":"2027-01-16T08:00:00Z","revoked":"2027-01-14T08:00:00Z"}
`);
});

test('a record that somebody wrote by hand is shown as far as it can be', async () => {
  await stage.put({ keyHash: 'x', createdAt: 'yesterday' });
  const { code, output } = await stage.local(['list', '--json']);
  expect([code, JSON.parse(output)]).toStrictEqual([
    0,
    [{ id: null, access: 'write', state: 'active', created: null, expires: null, revoked: null }],
  ]);
  await stage.put({ keyHash: 'x', createdAt: 'yesterday', name: 7 });
  expect((await stage.local(['list'])).output).toBe(
    'ID  ACCESS  STATE   CREATED  ENDS  NAME\n-   write   active  -        -     7\n',
  );
});

test('every read of keys is consistent', async () => {
  await stage.put(...all);
  const reads: [string, boolean][] = [];
  stage.react = ({ operation, body, forward }) => {
    reads.push([operation, body.ConsistentRead]);
    return forward();
  };
  await stage.local(['list']);
  await stage.local(['find'], { input: `petstore_staging_${'0'.repeat(48)}` });
  expect(reads).toStrictEqual([
    ['Scan', true],
    ['GetItem', true],
  ]);
});
