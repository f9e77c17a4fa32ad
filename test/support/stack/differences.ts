import type { Json } from './template.ts';

/**
 * Returns what `after` has of other value than `before`; what it lacks is `removed`. Members of an
 * array are named by their index, unless their number differs.
 */
export const differences = (before: Json, after: Json): Json =>
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
