// All that can happen to two updates that leave receipts: a model of functions/inventory/update-item.ts.
//
// **The world** is one entry of the inventory, the receipts, two requests, and the attempts that
// DynamoDB has been sent. A move changes it by one step. `explore` makes every move in every world
// that moves lead to, and looks whether each of these worlds keeps the promises.
//
// **A request** sends a transaction, which puts its receipt and updates the entry. DynamoDB answers,
// or the request gives the attempt up and sends another, as often as it may. It reads an answer as
// update-item.ts does:
// - If a receipt was found, that decides.
// - If the entry was found to be another, it puts a receipt that says so, and is refused. (If it
//   has no ETag, and the entry only has another status, it demands that one instead.)
// - If others held it up, or DynamoDB is busy, it sends the same again.
// - When it may send no more, it is a 5xx.
//
// **Others** change, remove and create the entry whenever no transaction holds it.
//
// **DynamoDB** does whatever its documentation allows:
// - It looks at the two items of a transaction one after the other, in any order. An item whose
//   condition is true is then held. One that another transaction holds is a conflict.
// - If an item is held, and its condition is false as well, it reports either.
// - A transaction whose items are both held is carried out, at any later moment. One with an item
//   that is not is cancelled, as soon as one is known, or when both are. If both are not, it reports
//   both reasons, or one, whichever it is.
// - A put of a receipt that a transaction holds is a conflict.
// - An attempt that its request has given up is carried out at any moment, or never.
//
// **A broken design** differs from ours in one line. That the model finds what it does wrong shows
// that it would find it in ours.
//
// The real code is under test in test/nightly/if-match-model.nightly.ts, with fewer of these orders,
// in a real engine.

export const brokenDesigns = [
  'a refusal is told before its receipt is written',
  'a receipt overwrites the one that is there',
  'a receipt does not say which ETag was demanded',
  'a receipt without a key is named by what the request says',
] as const;

type Design = 'ours' | (typeof brokenDesigns)[number];

/** The entry: as it was listed, with another quantity, with another status (and quantity), or gone. */
type Entry = 'listed' | 'changed' | 'sold' | 'gone';

const statusOf = { listed: 'available', changed: 'available', sold: 'sold' } as const;

interface Request {
  /** Which update it is. A client that repeats a request sends the same update again. */
  update: 'x' | 'y';
  /** The name of its receipt. */
  receipt: string;
  /** What its receipt says of it. */
  says: string;
  /** What it demands of the entry: the ETag that it had when it was listed, or any. */
  ifMatch: 'ETag' | 'any';
  /** The status that it demands if it has no ETag. */
  status: 'available' | 'sold';
  /** What it has found instead of what it demands, if it is to be refused. */
  found: Entry | '';
  sends: 'transaction' | 'put';
  /** How many more attempts it may make. */
  left: number;
  waits: boolean;
  /** The response that its client gets, in the end: a status, or a code of a 422. */
  response: string;
}

/** What a transaction knows of one of its items: nothing, that it holds it, or why it does not. */
type Look = '' | 'held' | 'in conflict' | `found ${string}`;

/** What DynamoDB has been sent: what its request was then. */
interface Attempt extends Omit<Request, 'left' | 'waits' | 'response'> {
  /** The number of the request that waits for it; -1 if it was given up. */
  of: number;
  ofReceipt: Look;
  ofEntry: Look;
}

interface World {
  entry: Entry;
  /** By name: what each says of its request, and the response; empty if it is not there. */
  receipts: Record<string, string>;
  /** How often each update was applied. */
  applied: Record<Request['update'], number>;
  requests: Request[];
  attempts: Attempt[];
  /** How many attempts were given up. */
  late: number;
}

interface Rules {
  design: Design;
  /** How many attempts a request makes for each command. */
  attempts: number;
  /** How many of them, of both requests, may be given up. */
  late: number;
}

// The requests.

type Asked = Pick<Request, 'update' | 'ifMatch'> & { key?: string; quantity?: number };

const withEtag = { update: 'x', ifMatch: 'ETag', key: 'key 1' } as const;
const withoutEtag = { update: 'x', ifMatch: 'any', key: 'key 1' } as const;

/** What two clients, or one that repeats its request, send at the same time. */
export const scenarios = {
  'two keys': [withEtag, { ...withEtag, update: 'y', key: 'key 2' }],
  'the same request twice': [withEtag, withEtag],
  'one key, two quantities': [withEtag, { ...withEtag, update: 'y', quantity: 5 }],
  'one key, with an ETag and without': [withEtag, { ...withoutEtag, update: 'y' }],
  'the same request twice, without an ETag': [withoutEtag, withoutEtag],
  'two keys, without an ETag': [withoutEtag, { ...withoutEtag, update: 'y', key: 'key 2' }],
  'no keys': [
    { update: 'x', ifMatch: 'ETag' },
    { update: 'y', ifMatch: 'ETag' },
  ],
} satisfies Record<string, [Asked, Asked]>;

const requestOf = (
  { update, ifMatch, key, quantity = 4 }: Asked,
  { design, attempts }: Rules,
): Request => {
  const isShort = design === 'a receipt does not say which ETag was demanded';
  const isNamedAlike = design === 'a receipt without a key is named by what the request says';
  return {
    update,
    receipt: key ?? (isNamedAlike ? 'its own' : `its own, ${update}`),
    says: isShort ? `${quantity}` : `${quantity} if ${ifMatch}`,
    ifMatch,
    status: 'available',
    found: '',
    sends: 'transaction',
    left: attempts,
    waits: false,
    response: '',
  };
};

/** The entries that make a difference to one of the requests; at first, it is the first of them. */
const entriesOf = (requests: Request[]): Entry[] => {
  const wants = new Set(requests.map(({ ifMatch }) => ifMatch));
  return [
    ...(wants.has('ETag') ? (['listed'] as const) : []),
    'changed',
    ...(wants.has('any') ? (['sold'] as const) : []),
    'gone',
  ];
};

// The moves.

type Move = [name: string, world: World];

const nameOf = (number: number): string => `request ${number + 1}`;

function* movesIn(world: World, rules: Rules): Generator<Move> {
  yield* movesOfOthers(world);
  for (const number of world.requests.keys()) {
    yield* movesOfRequest(world, number, rules);
  }
  const differing = new Set<number>();
  for (const attempt of world.attempts) {
    if (differing.size < differing.add(numberOf(attempt)).size) {
      yield* movesOfAttempt(new Running(world, attempt, rules));
    }
  }
}

function* movesOfOthers(world: World): Generator<Move> {
  if (world.attempts.some(({ ofEntry }) => ofEntry === 'held')) {
    return;
  }
  for (const entry of entriesOf(world.requests)) {
    if (entry !== world.entry) {
      yield [`the entry is ${entry}`, { ...world, entry }];
    }
  }
}

function* movesOfRequest(world: World, number: number, { late }: Rules): Generator<Move> {
  const { requests, attempts } = world;
  const request = requests[number] as Request;
  const become = (change: Partial<Request>) => requests.with(number, { ...request, ...change });
  if (request.response !== '') {
    return;
  }
  if (request.waits && world.late < late) {
    const index = attempts.findIndex(({ of }) => of === number);
    const givenUp = { ...(attempts[index] as Attempt), of: -1 };
    yield [
      `${nameOf(number)} gives up its ${request.sends}`,
      {
        ...world,
        requests: become({ waits: false }),
        attempts: attempts.with(index, givenUp),
        late: world.late + 1,
      },
    ];
  }
  if (!request.waits && request.left === 0) {
    yield [`${nameOf(number)} is a 5xx`, { ...world, requests: become({ response: '5xx' }) }];
  }
  if (!request.waits && request.left > 0) {
    const { left, waits: _, response: __, ...what } = request;
    const sent: Attempt = { ...what, of: number, ofReceipt: '', ofEntry: '' };
    yield [
      `${nameOf(number)} sends a ${request.sends}`,
      {
        ...world,
        requests: become({ left: left - 1, waits: true }),
        attempts: [...attempts, sent],
      },
    ];
  }
}

/** What DynamoDB tells a request of its attempt: what it found, if it was not done. */
interface Answer {
  isDone?: boolean;
  receipt?: string;
  entry?: Entry;
}

/** An attempt in its world. */
class Running {
  readonly #world: World;
  readonly #rules: Rules;
  readonly attempt: Attempt;
  readonly others: Attempt[];

  constructor(world: World, attempt: Attempt, rules: Rules) {
    this.#world = world;
    this.#rules = rules;
    this.attempt = attempt;
    this.others = world.attempts.filter((other) => other !== attempt);
  }

  get entry(): Entry {
    return this.#world.entry;
  }

  get receipt(): string {
    return this.#world.receipts[this.attempt.receipt] ?? '';
  }

  /** Whether it may put its receipt. */
  get isFree(): boolean {
    const { design } = this.#rules;
    return this.receipt === '' || design === 'a receipt overwrites the one that is there';
  }

  get receiptIsHeld(): boolean {
    const { receipt } = this.attempt;
    return this.others.some((other) => other.ofReceipt === 'held' && other.receipt === receipt);
  }

  get entryIsHeld(): boolean {
    return this.others.some((other) => other.ofEntry === 'held');
  }

  /** It knows something of an item. */
  knows(item: 'receipt' | 'entry', look: Look): Move {
    const change = item === 'receipt' ? { ofReceipt: look } : { ofEntry: look };
    const attempts = [...this.others, { ...this.attempt, ...change }];
    return this.#move(`looks at the ${item}: ${look}`, { attempts });
  }

  /** It ends, and its request gets an answer, unless that has given it up. */
  ends(how: string, answer: Answer, change: Partial<World> = {}): Move {
    const requests = this.#world.requests.map((request, number) =>
      number === this.attempt.of ? read(answer, request, this.#rules) : request,
    );
    return this.#move(how, { attempts: this.others, requests, ...change });
  }

  /** It puts a receipt with this response, and perhaps updates the entry. */
  isCarriedOut(response: string, entry: Entry): Move {
    const { receipt, says, update } = this.attempt;
    const receipts = { ...this.#world.receipts, [receipt]: `${says}: ${response}` };
    const { applied: before } = this.#world;
    const applied = response === '200' ? { ...before, [update]: before[update] + 1 } : before;
    return this.ends('is carried out', { isDone: true }, { receipts, applied, entry });
  }

  #move(what: string, change: Partial<World>): Move {
    const { of, sends } = this.attempt;
    const who = of === -1 ? `the late ${sends}` : `${nameOf(of)}'s ${sends}`;
    return [`${who} ${what}`, { ...this.#world, ...change }];
  }
}

function* movesOfAttempt(running: Running): Generator<Move> {
  const { of, sends, ofReceipt, ofEntry } = running.attempt;
  if (of === -1 && ofReceipt !== 'held' && ofEntry !== 'held') {
    yield running.ends('never runs', {});
  }
  if (of !== -1 && ofReceipt === '' && ofEntry === '') {
    yield running.ends('is throttled', {});
  }
  if (sends === 'put') {
    yield moveOfPut(running);
  } else {
    yield* movesOfTransaction(running);
  }
}

const moveOfPut = (running: Running): Move => {
  const { receipt, isFree, entry, attempt } = running;
  if (running.receiptIsHeld) {
    return running.ends('is in conflict', {});
  }
  return isFree
    ? running.isCarriedOut(refusalOf(attempt.found), entry)
    : running.ends(`finds the receipt ${receipt}`, { receipt });
};

function* movesOfTransaction(running: Running): Generator<Move> {
  const { ofReceipt, ofEntry, status } = running.attempt;
  yield* ofReceipt === '' ? [looksAtReceipt(running)] : [];
  yield* ofEntry === '' ? looksAtEntry(running) : [];
  if (ofReceipt === 'held' && ofEntry === 'held') {
    yield running.isCarriedOut('200', status === 'sold' ? 'sold' : 'changed');
  }
  const reasons = [...reasonsOf('receipt', ofReceipt), ...reasonsOf('entry', ofEntry)];
  for (const reason of reasons) {
    const [[item, found] = ['one of them', 'in conflict']] = Object.entries(reason);
    yield running.ends(`is cancelled, ${item}: ${found}`, reason);
  }
  if (reasons.length === 2) {
    yield running.ends('is cancelled for both', { ...reasons[0], ...reasons[1] });
  }
}

const looksAtReceipt = (running: Running): Move => {
  const look = running.isFree ? 'held' : (`found ${running.receipt}` as const);
  return running.knows('receipt', running.receiptIsHeld ? 'in conflict' : look);
};

function* looksAtEntry(running: Running): Generator<Move> {
  const { entry, entryIsHeld, attempt } = running;
  const look = matches(entry, attempt) ? 'held' : (`found ${entry}` as const);
  if (entryIsHeld) {
    yield running.knows('entry', 'in conflict');
  }
  if (!entryIsHeld || look !== 'held') {
    yield running.knows('entry', look);
  }
}

const matches = (entry: Entry, { ifMatch, status }: Attempt): boolean =>
  ifMatch === 'ETag' ? entry === 'listed' : entry !== 'gone' && statusOf[entry] === status;

/** What DynamoDB may report of an item for which it cancels a transaction. */
const reasonsOf = (item: 'receipt' | 'entry', look: Look): Answer[] => {
  if (look === '' || look === 'held') {
    return [];
  }
  return look === 'in conflict' ? [{}] : [{ [item]: look.replace('found ', '') }];
};

/** What update-item.ts makes of an answer. */
const read = (answer: Answer, request: Request, { design, attempts }: Rules): Request => {
  const responds = (response: string) => ({ ...request, waits: false, response });
  const { isDone, receipt, entry } = answer;
  if (isDone) {
    return responds(request.sends === 'put' ? refusalOf(request.found) : '200');
  }
  if (receipt !== undefined) {
    return responds(decidedBy(receipt, request.says));
  }
  if (entry === undefined) {
    // A conflict, or it was throttled.
    return { ...request, waits: false };
  }
  if (design === 'a refusal is told before its receipt is written') {
    return responds(refusalOf(entry));
  }
  if (request.ifMatch === 'any' && entry !== 'gone') {
    return { ...request, waits: false, status: statusOf[entry] };
  }
  return { ...request, waits: false, sends: 'put', found: entry, left: attempts };
};

const refusalOf = (found: Entry | ''): string => (found === 'gone' ? '404' : `412 ${found}`);

/** What a receipt makes of a request that finds it. */
const decidedBy = (receipt: string, says: string): string => {
  const [of, response = ''] = receipt.split(': ');
  if (of === says) {
    return response;
  }
  return response === '200' ? 'already_applied' : 'already_refused';
};

// The promises.

const isRefusal = (response: string): boolean => /^4/.test(response);
const isOfAnother = (response: string): boolean => response.startsWith('already');
const isDecision = (response: string): boolean => response === '200' || isRefusal(response);

/** How often the updates that have a receipt of this name were applied. */
const appliedWith = ({ requests, applied }: World, receipt: string): number =>
  [...new Set(requests.filter((each) => each.receipt === receipt).map(({ update }) => update))]
    .map((update) => applied[update])
    .reduce((sum, times) => sum + times, 0);

/** Each is false in a world that breaks it. Attempts that are still under way may break it later. */
const promises: Record<string, (world: World) => boolean> = {
  'An update is applied at most once.': ({ applied }) => applied.x <= 1 && applied.y <= 1,

  'With one key, one update is applied, at most.': (world) =>
    world.requests.every(
      ({ receipt }) => !/^key/.test(receipt) || appliedWith(world, receipt) <= 1,
    ),

  'After a 200, the update was applied.': ({ requests, applied }) =>
    requests.every(({ response, update }) => response !== '200' || applied[update] === 1),

  'After a 404 or 412, it was not, and never will be.': ({ requests, applied }) =>
    requests.every(({ response, update }) => !isRefusal(response) || applied[update] === 0),

  'After a 422, another was applied or refused, as its code says, and this one was not.': (world) =>
    world.requests
      .filter(({ response }) => isOfAnother(response))
      .every(
        ({ response, update, receipt }) =>
          world.applied[update] === 0 &&
          appliedWith(world, receipt) === (response === 'already_applied' ? 1 : 0),
      ),

  'The same request gets the same response, and is no other.': ({ requests: [one, two] }) =>
    one?.update !== two?.update ||
    (![one, two].some((each) => isOfAnother(each?.response ?? '')) &&
      (one?.response === two?.response ||
        ![one, two].every((each) => isDecision(each?.response ?? '')))),
};

// The exploration.

const numbers = new Map<string, number>();
const numbered = new WeakMap<object, number>();

/** Returns a number for a part of a world, the same for all that say the same. */
const numberOf = (part: object): number => {
  const known = numbered.get(part);
  if (known !== undefined) {
    return known;
  }
  const text = JSON.stringify(part);
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  numbered.set(part, number);
  return number;
};

/** Worlds with the same text are the same, in whichever order their attempts were sent. */
const identityOf = ({ entry, receipts, applied, requests, attempts, late }: World): string =>
  [
    entry,
    late,
    numberOf(receipts),
    numberOf(applied),
    ...requests.map(numberOf),
    ...attempts.map(numberOf).sort(),
  ].join();

/** The moves that have led to a world, from the last to the first. */
interface Path {
  name: string;
  before: Path | undefined;
}

interface Explored {
  /** How many different worlds there are. */
  worlds: number;
  /** Each pair of responses that the two requests can get. */
  responses: Set<string>;
  /** A promise that is broken, and the fewest moves that lead there. */
  broken?: { promise: string; moves: string[] };
}

/** Explores all that can happen, or all until a promise is broken. */
export const explore = (asked: [Asked, Asked], rules: Rules): Explored => {
  const first: Reached = { world: worldOf(asked, rules), path: undefined };
  const known = new Set([identityOf(first.world)]);
  const responses = new Set<string>();
  for (let reached = [first]; reached.length > 0; ) {
    reached = reached.flatMap((from) => [...reachedFrom(from, known, rules)]);
    for (const { world, path } of reached) {
      const broken = Object.entries(promises).find(([, isKept]) => !isKept(world));
      if (broken !== undefined) {
        const [promise] = broken;
        return { worlds: known.size, responses, broken: { promise, moves: movesOf(path) } };
      }
      if (world.requests.every(({ response }) => response !== '')) {
        responses.add(world.requests.map(({ response }) => response).join(' and '));
      }
    }
  }
  return { worlds: known.size, responses };
};

const worldOf = (asked: [Asked, Asked], rules: Rules): World => {
  const requests = asked.map((each) => requestOf(each, rules));
  return {
    entry: entriesOf(requests)[0] as Entry,
    receipts: Object.fromEntries(requests.map(({ receipt }) => [receipt, ''])),
    applied: { x: 0, y: 0 },
    requests,
    attempts: [],
    late: 0,
  };
};

/** A world, and the moves that have led there. */
interface Reached {
  world: World;
  path: Path | undefined;
}

/** Returns the worlds to which one move leads, and that were not known. */
function* reachedFrom({ world, path }: Reached, known: Set<string>, rules: Rules) {
  for (const [name, moved] of movesIn(world, rules)) {
    const { size } = known;
    if (known.add(identityOf(moved)).size > size) {
      yield { world: moved, path: { name, before: path } };
    }
  }
}

const movesOf = (last: Path | undefined): string[] => {
  const moves: string[] = [];
  for (let path = last; path !== undefined; path = path.before) {
    moves.unshift(path.name);
  }
  return moves;
};
