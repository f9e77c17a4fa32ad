import { expect, test } from '@jest/globals';
import { spawnOps } from '../../support/ops/ops.ts';
import { localKeys } from '../../support/ops/ops-stage.ts';
import { ended } from '../../support/process/tools.ts';

const { stage, all, change, keys, json, create, show, stateOf } = localKeys();

const rotate = (id: string, ...options: string[]) =>
  keys(['rotate', id, '--overlap', '24h', ...options]);
const hoursUntil = (time: string | null) =>
  time && Math.round((Date.parse(time) - Date.now()) / 3_600_000);
const working = async () =>
  (await all()).filter(({ revokedAt }) => revokedAt === undefined).map(({ keyId }) => keyId);

test.each([
  [['--expires', '90d'], 90 * 24],
  [[], null],
])(
  'a rotated key made with %j passes on its name and lifetime, and ends after the overlap',
  async (end, lifetime) => {
    const old = await create(...end);
    const rotated = await json('rotate', old.id, '--overlap', '24h');
    const kept = await show(old.id);
    expect([hoursUntil(kept.expires), hoursUntil(rotated.expires)]).toEqual([24, lifetime]);
    expect(rotated).toMatchObject({
      name: 'shop',
      replaces: old.id,
      replacedBy: null,
      overlapEnds: kept.expires,
    });
    expect(kept).toMatchObject({ state: 'active', replacedBy: rotated.id });
    expect([await stateOf(old.key), await stateOf(rotated.key)]).toEqual(['active', 'active']);

    const { output } = await keys(['list']);
    expect(output).toMatch(new RegExp(`^${old.id} .* ${rotated.id}$`, 'm'));
    expect(output).toMatch(new RegExp(`^${rotated.id} .* ${old.id} +-$`, 'm'));
    expect((await keys(['show', rotated.id])).output).toMatch(`; it replaces ${old.id}.\n`);
    const replaced = `Key ${old.id} ("shop") is active until ${kept.expires}; ${rotated.id} replaces it.\n`;
    expect((await keys(['show', old.id])).output).toBe(replaced);

    const before = await all();
    const again =
      `petstore: Key ${old.id} was rotated before: ${rotated.id} was issued in its place.\n` +
      `--force issues another; to rotate that one: npx --no -- petstore keys rotate ${rotated.id} --overlap 1d --local\n`;
    expect(await rotate(old.id)).toEqual({ code: 4, output: '', errors: again });
    const look = `npx --no -- petstore keys show ${rotated.id} --local\n`;
    const updated = `petstore: Key ${old.id} is replaced by ${rotated.id}.\nSee: ${look}`;
    expect(await keys(['update', old.id, '--name', 'x'])).toEqual({
      code: 4,
      output: '',
      errors: updated,
    });
    expect(await all()).toEqual(before);

    const second = await json('rotate', old.id, '--overlap', '12h', '--force');
    const { expires, replacedBy } = await show(old.id);
    expect([hoursUntil(expires), hoursUntil(second.expires), replacedBy]).toEqual([
      12,
      lifetime,
      second.id,
    ]);
    expect((await show(rotated.id)).state).toBe('active');
    const works = (id: string) =>
      `A key that was issued in its place still works: npx --no -- petstore keys show ${id} --local\n`;
    const { errors } = await keys(['revoke', old.id]);
    expect(errors.split(/^/m).sort()).toEqual([works(rotated.id), works(second.id)].sort());
    await change(old.id, { revokedAt: undefined });
    await change(second.id, { unprinted: true, revokedAt: 1 });
    expect((await rotate(old.id)).errors).toBe(again);
    expect((await keys(['revoke', old.id])).errors).toBe(works(rotated.id));
  },
);

test('rotate says when both keys end, and never extends the old one', async () => {
  const { id, expires } = await create('--expires', '1h');
  const { output, errors } = await rotate(id, '--expires', '2999-01-31');
  expect(output).toMatch(/^petstore_staging_[0-9a-f]{48}\n$/);
  expect(errors.replace(/ [0-9a-f]{16}, /, ' NEW, ')).toBe(
    `Key ${id} works until ${expires}. In its place:\n` +
      "Key NEW, until 2999-01-31T00:00:00Z. Save this key; it won't be shown again:\n",
  );
  expect((await show(id)).expires).toBe(expires);
});

const insteadOfResponse = (count: number, react: () => unknown) => {
  let writes = 0;
  stage.react = async ({ operation, forward }) => {
    const response = await forward();
    return operation === 'PutItem' && ++writes === count ? void react() : response;
  };
};

test.each([0, 1, 2, 3])(
  'a rotation killed after write %i (0: no reader) leaves one new key if rerun',
  async (last) => {
    const old = await create();
    const child = spawnOps(['keys', 'rotate', old.id, '--overlap', '24h', '--local']);
    insteadOfResponse(last, () => child.kill('SIGKILL'));
    await (last === 0 && child.stdout?.destroy());
    const killed = await ended(child);
    // The third write records that the key was printed, so a rotation killed after it is complete.
    const complete = last === 3;
    expect(killed.errors.includes('\nRunning this again revokes')).toBe(last === 0);
    expect(killed).toMatchObject({
      code: last ? null : 1,
      output: complete ? expect.stringMatching(/^pet/) : '',
    });
    const issued = (await all()).find(({ replaces }) => replaces === old.id);

    const again = await rotate(old.id);
    expect(again.code).toBe(complete ? 4 : 0);
    expect(
      again.errors.includes(`Key ${issued?.keyId}, of an interrupted rotation, was revoked.\n`),
    ).toBe(!complete);
    expect((await working()).sort()).toEqual([old.id, (await show(old.id)).replacedBy].sort());
    expect([await stateOf(old.key), await stateOf((complete ? killed : again).output)]).toEqual([
      'active',
      'active',
    ]);
  },
);

test.each([1, 2, 3])(
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

test('two rotations at the same time leave one new key that works, and one of them fails', async () => {
  const { id } = await create();
  const results = await Promise.all([rotate(id), rotate(id)]);
  const [done, failed] = results.sort((a, b) => a.code - b.code);
  expect([done?.code, failed?.code]).toEqual([0, 4]);
  expect([await stateOf(done?.output ?? ''), (await working()).length]).toEqual(['active', 2]);
});
