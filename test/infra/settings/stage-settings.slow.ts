import { describe, expect, test } from '@jest/globals';
import { Duration } from 'aws-cdk-lib';
import { listDuration } from '../../../infra/settings/list-duration.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { deployed } from '../../support/stack/deployed.ts';
import { env, everySetting } from '../../support/stack/every-setting.ts';
import { expectGolden } from '../../support/stack/golden.ts';
import { templateOf } from '../../support/stack/in-process.ts';
import { prod, staging } from '../../support/stack/stages.ts';
import type { Json } from '../../support/stack/template.ts';

/** Returns what is deployed for a stage with these settings, with the values of its region. */
const inRegion = (settings: StageSettings): Json =>
  JSON.parse(
    JSON.stringify(deployed(templateOf('prod', settings)))
      .replaceAll('<AWS::AccountId>', env.account)
      .replaceAll('<AWS::Region>', env.region)
      .replaceAll('<AWS::Partition>', 'aws')
      .replaceAll('<AWS::URLSuffix>', 'amazonaws.com'),
  );

/**
 * Returns what `after` has of other value than `before`; what it lacks is `removed`. Members of an
 * array are named by their index, unless their number differs.
 */
const differences = (before: Json, after: Json): Json =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => {
        const [old, now = 'removed'] = [before[name], after[name]];
        const haveMembers =
          [old, now].every((value) => typeof value === 'object' && value !== null) &&
          (Array.isArray(old) ? old.length === now.length : !Array.isArray(now));
        return [name, haveMembers ? differences(old, now) : now];
      }),
  );

test('test/infra/templates/every-setting.yaml is what each setting changes in prod', () => {
  expectGolden('every-setting.yaml', differences(inRegion(prod), inRegion(everySetting)));
});

test('a region that is added later changes nothing: no version is published again', () => {
  expect(differences(inRegion(staging), inRegion({ ...staging, env }))).toStrictEqual({});
  const versionsOf = (settings: StageSettings) =>
    Object.keys(templateOf('prod', settings).Resources).filter((id) => id.includes('Version'));
  expect(versionsOf({ ...staging, env })).toStrictEqual(versionsOf(staging));
});

const durationOf = (seconds: number): number =>
  listDuration({
    ...staging,
    list: { ...staging.list, timeout: Duration.seconds(seconds) },
  }).toSeconds();

describe('a list', () => {
  test.each([30, 300])('may take %i s', (seconds) => {
    expect(durationOf(seconds)).toBe(seconds);
  });

  test.each([29, 301])('may not take %i s', (seconds) => {
    expect(() => durationOf(seconds)).toThrow(
      new Error(`list.timeout must be from 30 to 300 s, not ${seconds} s.`),
    );
  });
});
