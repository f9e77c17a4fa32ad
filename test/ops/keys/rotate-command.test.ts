import { expect, test } from '@jest/globals';
import { spawnOps } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const { stage, all, change, keys, json, create, show, stateOf } = localKeys();

const rotate = (id: string, ...options: string[]) =>
  keys(['rotate', id, '--overlap', '24h', ...options]);
const rotated = (id: string, ...options: string[]) =>
  json('rotate', id, '--overlap', '24h', ...options);
const hoursUntil = (time: string | null) =>
  time && Math.round((Date.parse(time) - Date.now()) / 3_600_000);
const record = async (id: string) => (await all()).find(({ keyId }) => keyId === id);
const working = async () =>
  (await all()).filter(({ revokedAt }) => revokedAt === undefined).map(({ keyId }) => keyId);
const longAgo = 1_700_000_000;
const day = 86_400;

test('rotate prints the new key, and says when both keys end', async () => {
  const { id, expires } = await create('--expires', '1h');
  const { output, errors } = await rotate(id, '--expires', '2999-01-31');
  expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
  expect(errors.replace(/ [0-9a-f]{16}, /, ' NEW, ')).toBe(
    `Key ${id} works until ${expires}. In its place:\n` +
      "Key NEW, until 2999-01-31T00:00:00Z. Save this key; it won't be shown again:\n",
  );
});

test('both keys work during the overlap', async () => {
  const old = await create();
  const { key } = await rotated(old.id);
  expect([await stateOf(old.key), await stateOf(key)]).toEqual(['active', 'active']);
});

test('the old key ends after the overlap', async () => {
  const { id } = await create();
  const { overlapEnds } = await rotated(id);
  expect((await show(id)).expires).toBe(overlapEnds);
  expect(hoursUntil(overlapEnds)).toBe(24);
});

test('the old key never works longer than without the rotation', async () => {
  const { id, expires } = await create('--expires', '1h');
  await rotate(id);
  expect((await show(id)).expires).toBe(expires);
});

test('the new key has the name of the old one', async () => {
  const { id } = await create('--name', "Ann's shop");
  expect(await rotated(id)).toMatchObject({ name: "Ann's shop" });
});

test.each([
  ['90d', 90 * 24],
  [undefined, null],
])('a new key made after one with --expires %s works as long', async (expires, hours) => {
  const { id } = await create(...(expires ? ['--expires', expires] : []));
  expect(hoursUntil((await rotated(id)).expires)).toBe(hours);
});

test('the lifetime counts from the issue of the old key', async () => {
  const { id } = await create('--expires', '1d');
  const { createdAt = 0 } = (await record(id)) ?? {};
  await change(id, { createdAt: createdAt - 2 * day });
  expect(hoursUntil((await rotated(id)).expires)).toBe(3 * 24);
});

test('a second rotation passes on the lifetime before the first one', async () => {
  const { id } = await create('--expires', '90d');
  await rotate(id);
  expect(hoursUntil((await rotated(id, '--force')).expires)).toBe(90 * 24);
});

test('a second rotation of a key without an end issues a key without an end', async () => {
  const { id } = await create();
  await rotate(id);
  expect((await rotated(id, '--force')).expires).toBe(null);
});

test('both keys name each other', async () => {
  const old = await create();
  const { id, replaces, replacedBy } = await rotated(old.id);
  expect({ replaces, replacedBy }).toEqual({ replaces: old.id, replacedBy: null });
  expect(await show(old.id)).toMatchObject({ state: 'active', replacedBy: id });
});

test('show says which key replaces which', async () => {
  const old = await create();
  const { id } = await rotated(old.id);
  expect((await keys(['show', id])).output).toMatch(`; it replaces ${old.id}.\n`);
  expect((await keys(['show', old.id])).output).toMatch(`; ${id} replaces it.\n`);
});

const rotatedBefore = (old: string, replacement: string) =>
  `petstore: Key ${old} was rotated before: ${replacement} was issued in its place.\n`;

test.each([
  ['24h', '1d'],
  ['36h', '2160m'],
])(
  'a second rotation with --overlap %s is an error that names the first',
  async (given, overlap) => {
    const { id } = await create();
    const first = await rotated(id);
    const before = await all();
    const command = `npx --no -- petstore keys rotate ${first.id} --overlap ${overlap} --local`;
    expect(await keys(['rotate', id, '--overlap', given])).toEqual({
      code: 4,
      output: '',
      errors:
        `${rotatedBefore(id, first.id)}--force issues another; ` +
        `to rotate that one: ${command}\n`,
    });
    expect(await all()).toEqual(before);
  },
);

test('the error of a second rotation does not advise to rotate a key that has ended', async () => {
  const { id } = await create();
  const first = await rotated(id);
  await change(first.id, { revokedAt: longAgo });
  expect((await rotate(id)).errors).toBe(`${rotatedBefore(id, first.id)}--force issues another.\n`);
});

test('--force rotates a key once more, and leaves the first replacement as it is', async () => {
  const { id } = await create();
  const first = await rotated(id);
  const second = await rotated(id, '--force');
  expect((await show(id)).replacedBy).toBe(second.id);
  expect((await show(first.id)).state).toBe('active');
});

test('a replacement that failed does not count, but an earlier one does', async () => {
  const { id } = await create();
  const first = await rotated(id);
  const second = await rotated(id, '--force');
  await change(second.id, { unprinted: true, revokedAt: longAgo });
  expect((await rotate(id)).errors).toContain(rotatedBefore(id, first.id));
});

test('rotate marks the new key as unprinted until it is printed', async () => {
  const old = await create();
  const marks: unknown[] = [];
  stage.react = async ({ operation, body, forward }) => {
    if (operation === 'PutItem' && body.Item.keyId.S !== old.id) {
      marks.push(body.Item.unprinted?.BOOL);
    }
    return forward();
  };
  await rotate(old.id);
  expect(marks).toEqual([true, undefined]);
});

test('rotate revokes what an interrupted rotation has left, and says so', async () => {
  const { id } = await create();
  const left = await create();
  await change(left.id, { replaces: id, unprinted: true });
  expect((await rotate(id)).errors).toContain(
    `Key ${left.id}, of an interrupted rotation, was revoked.\n`,
  );
  expect((await show(left.id)).state).toBe('revoked');
});

test('rotate leaves the time of a revocation that is over', async () => {
  const { id } = await create();
  const left = await create();
  await change(left.id, { replaces: id, unprinted: true, revokedAt: longAgo });
  expect((await rotate(id)).errors).not.toContain(left.id);
  expect(await record(left.id)).toMatchObject({ revokedAt: longAgo });
});

test('rotate leaves keys alone that replace another one', async () => {
  const [{ id }, other] = [await create(), await create()];
  await change(other.id, { replaces: 'c0ffee4be1c0ffee', unprinted: true });
  await rotate(id);
  expect((await show(other.id)).state).toBe('active');
});

test('a key whose lifetime is unclear is rotated only with --expires', async () => {
  const { id } = await create('--expires', '1d');
  await change(id, { createdAt: undefined });
  const before = await all();
  const errors =
    `petstore: Nobody can tell how long key ${id} was to work: it has no valid times.\n` +
    'Say when the new key expires: --expires.\n';
  expect(await rotate(id)).toEqual({ code: 4, output: '', errors });
  expect(await all()).toEqual(before);
  expect((await rotate(id, '--expires', '1d')).code).toBe(0);
});

/** Reacts to the response to a write of the rotation, counted from 1, and loses it. */
const insteadOfResponse = (count: number, react: () => unknown) => {
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    return operation === 'PutItem' && ++writes === count ? void react() : response;
  };
};

// The writes: the new key is stored, the old one ends, and the new one is marked as printed.
const [stored, oldEnds, marked] = [1, 2, 3];

/** Kills a rotation once it has made a number of writes. Returns what it has printed. */
const killedAfter = (write: number, id: string) => {
  const child = spawnOps(['keys', 'rotate', id, '--overlap', '24h', '--local']);
  insteadOfResponse(write, () => child.kill('SIGKILL'));
  return ended(child);
};

/** Expects that another rotation revokes the key that nobody has seen, and issues another. */
const expectRepair = async (old: { id: string; key: string }) => {
  const unseen = (await all()).find(({ replaces }) => replaces === old.id);
  const again = await rotate(old.id);
  expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/^petstore_/) });
  expect(again.errors).toContain(
    `Key ${unseen?.keyId}, of an interrupted rotation, was revoked.\n`,
  );
  expect((await working()).sort()).toEqual([old.id, (await show(old.id)).replacedBy].sort());
  expect([await stateOf(old.key), await stateOf(again.output)]).toEqual(['active', 'active']);
};

test.each([stored, oldEnds])(
  'a rotation killed after write %i prints nothing, and the next one repairs it',
  async (write) => {
    const old = await create();
    expect(await killedAfter(write, old.id)).toMatchObject({ code: null, output: '' });
    await expectRepair(old);
  },
);

test('a rotation killed after its last write is complete', async () => {
  const old = await create();
  const { output } = await killedAfter(marked, old.id);
  expect(await stateOf(output)).toBe('active');
  expect((await rotate(old.id)).code).toBe(4);
  expect((await working()).length).toBe(2);
});

test('a rotation whose key nobody reads says so, and the next one repairs it', async () => {
  const old = await create();
  const child = spawnOps(['keys', 'rotate', old.id, '--overlap', '24h', '--local']);
  child.stdout?.destroy();
  const { code, errors } = await ended(child);
  expect(code).toBe(1);
  expect(errors).toMatch(/\nRunning this again revokes key \w+ and issues another\.\n$/);
  await expectRepair(old);
});

test.each([stored, oldEnds, marked])(
  'a rotation succeeds although the response to write %i is lost',
  async (lost) => {
    const { id } = await create();
    let losses = 0;
    insteadOfResponse(lost, () => losses++);
    const { code, output } = await rotate(id);
    expect({ code, losses }).toEqual({ code: 0, losses: 1 });
    expect([await stateOf(output), (await working()).length]).toEqual(['active', 2]);
  },
);

/** Does something just before a write of the rotation, counted from 1. */
const beforeWrite = (count: number, react: (keyId: string) => Promise<unknown>) => {
  let writes = 0;
  stage.react = async ({ operation, body, forward }) => {
    if (operation === 'PutItem' && ++writes === count) {
      await react(body.Item.keyId.S);
    }
    return forward();
  };
};

test('a rotation revokes the new key if the old one is revoked meanwhile', async () => {
  const { id } = await create();
  beforeWrite(oldEnds, () => change(id, { revokedAt: longAgo }));
  const outcome = 'was revoked or changed just now; nothing was issued in its place.';
  expect(await rotate(id)).toMatchObject({
    code: 4,
    output: '',
    errors: expect.stringContaining(`petstore: Key ${id} ${outcome}\n`),
  });
  expect(await working()).toEqual([]);
});

test.each([
  { what: 'repairs the same leftover', changes: { revokedAt: longAgo }, leftWorks: false },
  { what: 'prints that key', changes: { unprinted: undefined }, leftWorks: true },
])('a rotation revokes the new key if another one $what', async ({ changes, leftWorks }) => {
  const [{ id }, left] = [await create(), await create()];
  await change(left.id, { replaces: id, unprinted: true });
  const repair = 3;
  beforeWrite(repair, () => change(left.id, changes));
  const outcome = 'was rotated by somebody else just now; nothing was issued in its place.';
  expect(await rotate(id)).toMatchObject({
    code: 4,
    output: '',
    errors: expect.stringContaining(`petstore: Key ${id} ${outcome}\n`),
  });
  expect((await working()).sort()).toEqual((leftWorks ? [id, left.id] : [id]).sort());
});

test('a rotation fails if the new key is revoked before it is marked as printed', async () => {
  const { id } = await create();
  beforeWrite(marked, (keyId) => change(keyId, { revokedAt: longAgo }));
  const outcome = `was revoked: key ${id} was rotated twice at the same time.`;
  expect(await rotate(id)).toMatchObject({
    code: 4,
    errors: expect.stringMatching(new RegExp(`petstore: Key \\w+ ${outcome}\n$`)),
  });
});

test('two rotations at the same time leave one new key, and one of them fails', async () => {
  const { id } = await create();
  const results = await Promise.all([rotate(id), rotate(id)]);
  const [done, failed] = results.sort((a, b) => a.code - b.code);
  expect([done?.code, failed?.code]).toEqual([0, 4]);
  expect([await stateOf(done?.output ?? ''), (await working()).length]).toEqual(['active', 2]);
});
