import { expect, test } from '@jest/globals';
import { brokenDesigns, explore, scenarios } from './receipts-model.ts';

type Scenario = keyof typeof scenarios;

/** test/nightly/receipts-model.nightly.ts has larger ones. */
const limits = { attempts: 1, late: 1 };

/** What the two requests of a scenario can get, besides a 5xx. */
const responses: Record<Scenario, string[]> = {
  'two keys': [
    '200 and 200',
    '200 and 404',
    '200 and 412 changed',
    '404 and 404',
    '404 and 412 changed',
    '412 changed and 412 changed',
  ],
  'the same request twice': ['200 and 200', '404 and 404', '412 changed and 412 changed'],
  'one key, two quantities': [
    '200 and already_applied',
    '404 and already_refused',
    '412 changed and already_refused',
  ],
  'one key, with an ETag and without': [
    '200 and already_applied',
    '404 and already_refused',
    '412 changed and already_refused',
    '412 sold and already_refused',
  ],
  'the same request twice, without an ETag': ['200 and 200', '404 and 404'],
  'two keys, without an ETag': ['200 and 200', '200 and 404', '404 and 404'],
  'no keys': [
    '200 and 200',
    '200 and 404',
    '200 and 412 changed',
    '404 and 404',
    '404 and 412 changed',
    '412 changed and 412 changed',
  ],
};

test.each(Object.keys(scenarios) as Scenario[])(
  '%s: whatever happens, each promise is kept',
  (scenario) => {
    const explored = explore(scenarios[scenario], { ...limits, design: 'ours' });
    expect(explored.broken).toBeUndefined();
    expect(explored.worlds).toBeGreaterThan(3_000);
    // Either of the two may get either.
    const pairs = [...explored.responses].map((pair) => pair.split(' and ').sort().join(' and '));
    const decided = pairs.filter((pair) => !pair.includes('5xx'));
    expect([...new Set(decided)].sort()).toStrictEqual(responses[scenario]);
  },
);

interface Found {
  scenario: Scenario;
  promise: string;
  /** The fewest moves that break it. */
  moves: string[];
}

const firstIsApplied = [
  'request 1 sends a transaction',
  'request 2 sends a transaction',
  "request 1's transaction looks at the receipt: held",
  "request 1's transaction looks at the entry: held",
  "request 1's transaction is carried out",
];

const found: Record<(typeof brokenDesigns)[number], Found> = {
  'a refusal is told before its receipt is written': {
    scenario: 'the same request twice',
    promise: 'After a 404 or 412, it was not, and never will be.',
    moves: [
      ...firstIsApplied,
      "request 2's transaction looks at the entry: found changed",
      "request 2's transaction is cancelled, entry: changed",
    ],
  },
  'a receipt overwrites the one that is there': {
    scenario: 'the same request twice',
    promise: 'An update is applied at most once.',
    moves: [
      ...firstIsApplied,
      'the entry is listed',
      "request 2's transaction looks at the receipt: held",
      "request 2's transaction looks at the entry: held",
      "request 2's transaction is carried out",
    ],
  },
  'a receipt does not say which ETag was demanded': {
    scenario: 'one key, with an ETag and without',
    promise: 'After a 200, the update was applied.',
    moves: [
      ...firstIsApplied,
      "request 2's transaction looks at the receipt: found 4: 200",
      "request 2's transaction is cancelled, receipt: 4: 200",
    ],
  },
  'a receipt without a key is named by what the request says': {
    scenario: 'no keys',
    promise: 'After a 200, the update was applied.',
    moves: [
      ...firstIsApplied,
      "request 2's transaction looks at the receipt: found 4 if ETag: 200",
      "request 2's transaction is cancelled, receipt: 4 if ETag: 200",
    ],
  },
};

test.each(brokenDesigns)('%s: that is found', (design) => {
  const { scenario, ...broken } = found[design];
  expect(explore(scenarios[scenario], { ...limits, design }).broken).toStrictEqual(broken);
});
