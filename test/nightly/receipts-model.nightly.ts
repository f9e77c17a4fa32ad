import { expect, test } from '@jest/globals';
import { explore, scenarios } from '../functions/inventory/receipts-model.ts';

test.each(Object.keys(scenarios) as (keyof typeof scenarios)[])(
  '%s, with two attempts: whatever happens, each promise is kept',
  (scenario) => {
    const explored = explore(scenarios[scenario], { design: 'ours', attempts: 2, late: 2 });
    expect(explored.broken).toBeUndefined();
    expect(explored.worlds).toBeGreaterThan(100_000);
  },
);
