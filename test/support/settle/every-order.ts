import {
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { Attempts } from '../../../functions/dynamodb/attempts.ts';
import { TransientError } from '../../../functions/dynamodb/failures.ts';
import type { ApiError } from '../../../functions/errors/api-error.ts';
import { type Learned, never, settle } from '../../../functions/inventory/settle.ts';

/*
 * A model of a client that sends one update with a key to two instances, and of DynamoDB: every
 * interleaving of their attempts, of lost responses, late attempts and a stock that moves and comes
 * back, in every world that AWS may be.
 */

/** What AWS does not document. */
export interface World {
  /** What becomes of the token of a refused transaction. */
  refused: 'forgotten' | 'kept' | 'kept for its parameters';
  /** What a transaction meets whose token belongs to one that is running. */
  running: 'in progress' | 'compared' | 'ignored';
  /** What is looked at first. */
  first: 'conflict' | 'condition';
}

/** What the two instances get: one update with a key, or two with the same, by mistake. */
export type Updates = 'same' | 'different';

/** A transaction: the update, the check that takes its token, and those that ask about tokens. */
type Command = 'update' | 'check' | 'ask' | 'ask again';

/**
 * What becomes of a command. Busy: it was held up or throttled until the time was over. Lost: no
 * attempt got a response.
 */
type Answer = 'applied' | 'false' | 'mismatch' | 'busy' | 'lost';

/** What an instance does next: it sends a command, and goes on by its answer, or responds. */
type Node =
  | { command: Command; on: Record<string, number> }
  | { response: string; keepsRefused: boolean | undefined };

const mismatch = new IdempotentParameterMismatchException({ message: '', $metadata: {} });
const cancelled = (Code: string) =>
  new TransactionCanceledException({
    message: '',
    $metadata: {},
    CancellationReasons: [{ Code, Item: { petId: { N: '7' } } }],
  });
const errorOf = {
  false: cancelled('ConditionalCheckFailed'),
  mismatch,
  busy: cancelled('TransactionConflict'),
  lost: new TransientError('lost'),
};

/**
 * Runs a request until it needs another answer than these. The mark of an answer says that an attempt
 * was not settled: it may have run before, or may still do so.
 */
export const runRequest = async (
  answers: string[],
  keepsRefused?: boolean,
  { hasKey = true, record = {} }: { hasKey?: boolean; record?: Attempts } = {},
) => {
  const rest = [...answers];
  const waiting = Promise.withResolvers<{ command: Command }>();
  const send = (command: Command): Promise<unknown> => {
    const next = rest.shift();
    if (next === undefined) {
      waiting.resolve({ command });
      return new Promise(() => {});
    }
    const answer = next.replace('!', '') as Answer;
    if (next.endsWith('!')) {
      record.unsettledAttempt = errorOf.lost;
    }
    return answer === 'applied' ? Promise.resolve('applied') : Promise.reject(errorOf[answer]);
  };
  const learned: Learned = keepsRefused === undefined ? {} : { keepsRefused };
  const settled = settle({
    token: 'own',
    hasKey,
    record,
    apply: () => send('update'),
    check: (token, condition) => {
      const asks = condition === never ? 'ask' : 'ask again';
      return send(token === 'own' ? 'check' : asks);
    },
    learned,
  }).then(
    () => '200',
    (error: ApiError) => error.code ?? 'busy',
  );
  return Promise.race([
    settled.then((response) => ({ response, keepsRefused: learned.keepsRefused })),
    waiting.promise,
  ]);
};

/** What the product does, with states that do the same as one. */
const nodes: Node[] = [];
const numbers = new Map<string, number>();

const answersTo: Record<Command, Answer[]> = {
  update: ['applied', 'false', 'mismatch', 'busy', 'lost'],
  check: ['applied', 'mismatch', 'busy', 'lost'],
  ask: ['false', 'mismatch', 'busy', 'lost'],
  'ask again': ['applied', 'mismatch', 'busy', 'lost'],
};

const numberOf = async (keepsRefused?: boolean, answers: string[] = []): Promise<number> => {
  const next = await runRequest(answers, keepsRefused);
  let node: Node;
  if ('command' in next) {
    node = { ...next, on: {} };
    for (const answer of answersTo[next.command].flatMap((each) => [each, `${each}!`])) {
      node.on[answer] = await numberOf(keepsRefused, [...answers, answer]);
    }
  } else {
    node = next;
  }
  const key = JSON.stringify(node);
  const number = numbers.get(key) ?? nodes.push(node) - 1;
  numbers.set(key, number);
  return number;
};

/** Where a request begins, by what its instance has learned. */
const begins = new Map<boolean | undefined, number>();
// Nobody reads where these many errors were made.
const { stackTraceLimit } = Error;
Error.stackTraceLimit = 0;
for (const keepsRefused of [undefined, false, true]) {
  begins.set(keepsRefused, await numberOf(keepsRefused));
}
Error.stackTraceLimit = stackTraceLimit;

interface Attempt {
  by: number;
  command: Command;
  /** Which update it is, if it is one. */
  update: number;
  isRunning: boolean;
  /** Whether its instance still waits for it. */
  isAwaited: boolean;
}

interface Instance {
  /** What it does next. */
  node: number;
  update: number;
  /** How often its client may send the request again. */
  requests: number;
  /** Whether an earlier attempt of its command is not settled. */
  unsettled: boolean;
  /** What the client gets in the end. */
  response?: string;
}

interface State {
  /** Whether the stock is as the update demands. */
  isTrue: boolean;
  /** Whether another client's transaction holds the pet, which then moves the stock. */
  isHeld: boolean;
  /** How often the first update was applied, and the second. */
  applied: number[];
  attempts: Attempt[];
  instances: Instance[];
  /** By token, which transaction has it, and whether that was refused. */
  holders: Record<string, { what: string; isRefused: boolean }>;
  /** How often the stock may still move, and how much may be lost or throttled. */
  moves: number;
  losses: number;
}

/** The token of an attempt: each instance asks with one of its own. */
const tokenOf = ({ by, command }: Attempt): string => (command.startsWith('ask') ? `${by}` : 'own');
/** What DynamoDB compares. */
const whatIs = ({ command, update }: Attempt): string =>
  command === 'update' ? `update ${update}` : command;
/** The item that an attempt is about. */
const itemOf = (attempt: Attempt): string =>
  attempt.command === 'update' ? 'pet' : `of token ${tokenOf(attempt)}`;

const isRefusal = (response = ''): boolean => /failed|reused/.test(response);

const withInstance = (state: State, by: number, change: Partial<Instance>): State => ({
  ...state,
  instances: state.instances.map((each, index) => (index === by ? { ...each, ...change } : each)),
});

/** Returns the state after an instance got an answer to its command. */
const answered = (state: State, by: number, answer: Answer, isUnsettled = false): State => {
  const { node, unsettled } = state.instances[by] as Instance;
  const mark = unsettled || isUnsettled ? '!' : '';
  const { on } = nodes[node] as { on: Record<string, number> };
  return goOn(withInstance(state, by, { node: on[answer + mark] as number, unsettled: false }), by);
};

const without = (state: State, attempt: Attempt): State => ({
  ...state,
  attempts: state.attempts.filter((each) => each !== attempt),
});

/** Returns the state after an attempt got an answer, which nobody hears if it is late. */
const ended = (state: State, attempt: Attempt, answer: Answer): State => {
  const after = without(state, attempt);
  return attempt.isAwaited ? answered(after, attempt.by, answer) : after;
};

/** Returns the state after DynamoDB has carried out an attempt. */
const carriedOut = (state: State, attempt: Attempt, { refused }: World): State => {
  const { command, update } = attempt;
  const token = tokenOf(attempt);
  const what = whatIs(attempt);
  const holds = command === 'update' ? state.isTrue : command !== 'ask';
  if (!holds) {
    const holder = state.holders[token] ?? { what, isRefused: true };
    const holders = refused === 'forgotten' ? state.holders : { ...state.holders, [token]: holder };
    return ended({ ...state, holders }, attempt, 'false');
  }
  const holders = { ...state.holders, [token]: { what, isRefused: false } };
  const isUpdate = command === 'update';
  const applied = state.applied.map((times, index) =>
    isUpdate && index === update ? times + 1 : times,
  );
  const isTrue = isUpdate ? false : state.isTrue;
  // What is late and not running will only be told that the token is taken.
  const attempts = state.attempts.filter(
    (each) => each.isAwaited || each.isRunning || tokenOf(each) !== token,
  );
  return ended({ ...state, attempts, holders, applied, isTrue }, attempt, 'applied');
};

/** Returns what an attempt meets whose token another transaction has or had. */
const metByToken = (
  { attempts, holders }: State,
  attempt: Attempt,
  { refused, running }: World,
): Answer | 'in progress' | undefined => {
  const token = tokenOf(attempt);
  const holder = holders[token];
  if (holder !== undefined && holder.what !== whatIs(attempt)) {
    return 'mismatch';
  }
  if (holder !== undefined && !holder.isRefused) {
    return 'applied';
  }
  if (holder !== undefined && refused === 'kept') {
    return 'false';
  }
  const ofToken = attempts.filter((each) => each.isRunning && tokenOf(each) === token);
  if (ofToken.length === 0 || running === 'ignored') {
    return undefined;
  }
  const isOther = ofToken.some((each) => whatIs(each) !== whatIs(attempt));
  return running === 'compared' && isOther ? 'mismatch' : 'in progress';
};

const isLocked = ({ attempts, isHeld }: State, item: string): boolean =>
  (isHeld && item === 'pet') || attempts.some((each) => each.isRunning && itemOf(each) === item);

/** Returns the states after an attempt has arrived at DynamoDB. */
const arrived = (state: State, attempt: Attempt, world: World): State[] => {
  const met = metByToken(state, attempt, world);
  if (met === 'in progress') {
    return heldUp(state, attempt, true);
  }
  if (met !== undefined) {
    return [ended(state, attempt, met)];
  }
  if (!isLocked(state, itemOf(attempt))) {
    const running = { ...attempt, isRunning: true };
    return [{ ...state, attempts: [...without(state, attempt).attempts, running] }];
  }
  return world.first === 'condition' && attempt.command === 'update' && !state.isTrue
    ? [carriedOut(state, attempt, world)]
    : heldUp(state, attempt, false);
};

/** Returns the states after others have held an attempt up: it is sent again until time is over. */
const heldUp = (state: State, attempt: Attempt, isUnsettled: boolean): State[] => {
  const { by, isAwaited } = attempt;
  if (!isAwaited) {
    return [];
  }
  const again = isUnsettled ? [withInstance(state, by, { unsettled: true })] : [];
  if (state.losses === 0) {
    return again;
  }
  const after = { ...without(state, attempt), losses: state.losses - 1 };
  return [...again, answered(after, by, 'busy', isUnsettled)];
};

/** Returns the states after the response of an attempt was lost, or will be. */
const lost = (state: State, attempt: Attempt): State[] => {
  if (!attempt.isAwaited || state.losses === 0) {
    return [];
  }
  const late = { ...attempt, isAwaited: false };
  const attempts = [...without(state, attempt).attempts, late];
  const after = { ...state, attempts, losses: state.losses - 1 };
  const again = { ...after, attempts: [...attempts, { ...attempt, isRunning: false }] };
  return [
    withInstance(again, attempt.by, { unsettled: true }),
    answered(after, attempt.by, 'lost', true),
  ];
};

/** Returns the states after DynamoDB has cancelled a running attempt, because it throttles it. */
const throttled = (state: State, attempt: Attempt): State[] => {
  if (!attempt.isRunning || state.losses === 0) {
    return [];
  }
  const after = { ...without(state, attempt), losses: state.losses - 1 };
  if (!attempt.isAwaited) {
    return [after];
  }
  const again = { ...after, attempts: [...after.attempts, { ...attempt, isRunning: false }] };
  return [again, answered(after, attempt.by, 'busy')];
};

/** Returns the states after another client has begun or ended a transaction. */
const moved = (state: State): State[] => {
  if (state.isHeld) {
    return [{ ...state, isHeld: false, isTrue: !state.isTrue }];
  }
  const mayBegin = state.moves > 0 && !isLocked(state, 'pet');
  return mayBegin ? [{ ...state, isHeld: true, moves: state.moves - 1 }] : [];
};

const successors = (state: State, world: World): State[] => [
  ...moved(state),
  ...state.attempts.flatMap((attempt) => [
    ...(attempt.isRunning ? [carriedOut(state, attempt, world)] : arrived(state, attempt, world)),
    ...lost(state, attempt),
    ...throttled(state, attempt),
  ]),
];

/** Lets an instance send its next command, or respond. */
const goOn = (state: State, by: number): State => {
  const { node, update, requests } = state.instances[by] as Instance;
  const next = nodes[node] as Node;
  if ('command' in next) {
    const { command } = next;
    const before = command === 'ask' ? withNewToken(state, by) : state;
    const attempt = { by, command, update, isRunning: false, isAwaited: true };
    return { ...before, attempts: [...before.attempts, attempt] };
  }
  const { response, keepsRefused } = next;
  if (response === '200' || isRefusal(response) || requests === 0) {
    return withInstance(state, by, { node: -1, requests: 0, response });
  }
  const begin = begins.get(keepsRefused) as number;
  return goOn(withInstance(state, by, { node: begin, requests: requests - 1 }), by);
};

/** What became of the token with which an instance has asked before does not matter any more. */
const withNewToken = (state: State, by: number): State => {
  const { [`${by}`]: _, ...holders } = state.holders;
  const isOld = (each: Attempt) => each.by === by && each.command.startsWith('ask');
  return { ...state, holders, attempts: state.attempts.filter((each) => !isOld(each)) };
};

/** Returns what is wrong with a state; undefined if nothing is. */
const wrong = ({ applied, instances }: State): string | undefined => {
  if (applied.some((times) => times > 1)) {
    return 'applied twice';
  }
  const wrongs = instances.map(({ update, response }) => {
    const isApplied = (applied[update] ?? 0) > 0;
    if (isApplied && isRefusal(response)) {
      return 'refused and applied';
    }
    return !isApplied && response === '200' ? 'a 200, and not applied' : undefined;
  });
  return wrongs.find((each) => each !== undefined);
};

// Within Jest, a global such as Number or Math takes a hundred times as long as an operator.
const bit = (is: boolean): 0 | 1 => (is ? 1 : 0);

/** Each text that states hold, by a number from 0 to 31: many texts would take long to join. */
const textNumbers = new Map<string | undefined, number>();
const ofText = (text: string | undefined): number => {
  const number = textNumbers.get(text) ?? textNumbers.size;
  textNumbers.set(text, number);
  return number;
};

const ofInstance = ({ node, update, requests, unsettled, response }: Instance): number =>
  (((node + 1) * 2 + update) * 4 + requests * 2 + bit(unsettled)) * 32 + ofText(response);

const ofHolder = (holder: State['holders'][string] | undefined): number =>
  holder === undefined ? -1 : ofText(holder.what) * 2 + bit(holder.isRefused);

const ofAttempt = ({ command, isRunning, isAwaited }: Attempt): number =>
  ofText(command) * 4 + bit(isRunning) * 2 + bit(isAwaited);

/** Returns a text for a state, mostly the same if the instances change places. */
const keyOf = (state: State): string => {
  const { instances, holders, attempts, isTrue, isHeld, applied, moves, losses } = state;
  const [one = 0, other = 0] = instances.map(ofInstance);
  const inOrder = one < other;
  const [first, second] = inOrder ? [0, 1] : [1, 0];
  const numbers = attempts.map((each) => ofAttempt(each) + (each.by === first ? 128 : 0));
  numbers.sort((a, b) => a - b);
  numbers.push(inOrder ? one : other, inOrder ? other : one);
  numbers.push(ofHolder(holders.own), ofHolder(holders[first]), ofHolder(holders[second]));
  numbers.push(bit(isTrue) * 2 + bit(isHeld), ...applied, moves, losses);
  return numbers.join();
};

/**
 * How often the stock may move, how much may be lost or throttled, and how often a client may send
 * its request again, to one instance and to the other.
 */
export interface Limits {
  moves: number;
  losses: number;
  requests: readonly [number, number];
}
const usual: Limits = { moves: 2, losses: 1, requests: [1, 1] };

/**
 * Returns the states in which two instances begin. One that has just started knows nothing, others
 * what there is to know.
 */
const beginnings = (known: boolean, { requests, ...limits }: Limits, updates: Updates): State[] =>
  [true, false].flatMap((isTrue) =>
    [
      [undefined, undefined],
      [undefined, known],
      [known, known],
    ].map((learned) => {
      const instances = learned.map((each, by) => {
        const node = Number(begins.get(each));
        const update = updates === 'same' ? 0 : by;
        return { node, update, requests: requests[by] ?? 0, unsettled: false };
      });
      const pet = { isTrue, isHeld: false, applied: [0, 0] };
      return goOn(goOn({ ...pet, attempts: [], instances, holders: {}, ...limits }, 0), 1);
    }),
  );

/** Returns what may be wrong in a world, if anything, and what the client may get in the end. */
export const explore = (
  world: World,
  options: { known?: boolean; limits?: Partial<Limits>; updates?: Updates } = {},
) => {
  const { known = world.refused !== 'forgotten', limits, updates = 'same' } = options;
  const responses = new Set<string | undefined>();
  const open = beginnings(known, { ...usual, ...limits }, updates);
  const seen = new Set(open.map(keyOf));
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const what = wrong(state);
    if (what !== undefined) {
      return { wrong: what };
    }
    for (const { response } of state.instances) {
      responses.add(response);
    }
    for (const next of successors(state, world)) {
      const key = keyOf(next);
      if (!seen.has(key)) {
        seen.add(key);
        open.push(next);
      }
    }
  }
  responses.delete(undefined);
  return { responses: [...responses].sort() };
};
