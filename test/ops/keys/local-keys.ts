import { changeKey, type IssuedKey, issuedKeys } from '../../../ops/keys/issued-keys.ts';
import type { KeySummary } from '../../../ops/keys/key-summary.ts';
import { type OpsOptions, ops } from '../../support/ops.ts';
import { tablesOfStage } from '../../support/ops-stage.ts';

/** The keys of a stage, of which a test begins with none. */
export const localKeys = () => {
  const stage = tablesOfStage();
  const all = () => issuedKeys(stage.apiKeys());
  const keys = async (options: string[], settings?: OpsOptions) => {
    const { errors, ...result } = await ops(['keys', ...options, '--local'], settings);
    return { ...result, errors: errors.replace(/^Stage: staging of the local run at .*\n/, '') };
  };
  /** What a command prints in JSON. */
  const json = async (...options: string[]) => JSON.parse((await keys([...options, '--json'])).output);
  return {
    stage,
    all,
    keys,
    json,
    change: async (id: string, changes: Partial<IssuedKey>) =>
      changeKey(stage.apiKeys(), (await all()).find(({ keyId }) => keyId === id) ?? {}, changes),
    create: (...options: string[]): Promise<KeySummary & { key: string }> =>
      json('create', '--name', 'shop', ...options),
    show: (id: string): Promise<KeySummary> => json('show', id),
    /** Whether a key works. */
    stateOf: async (key: string) => JSON.parse((await keys(['find', '--json'], { input: key })).output).state,
  };
};
