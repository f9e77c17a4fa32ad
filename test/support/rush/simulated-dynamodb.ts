import type { Answer, Line, Received } from './network.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What AWS does not document (../settle/every-order.ts), and how bad the day is. */
export interface World {
  refused: 'forgotten' | 'kept';
  running: 'in progress' | 'compared';
  first: 'conflict' | 'condition';
  /** For how many milliseconds a transaction holds its item. */
  holds: number;
  /** Whether one whose condition is false holds it as long. */
  refusedHolds: boolean;
  /** The share of attempts to which a fault happens. */
  faults: number;
}

type Values = Record<string, { N?: string }>;

/** A transaction of one action. */
interface Transaction {
  token: string;
  text: string;
  item: string;
  isUpdate: boolean;
  condition: string;
  values: Values;
}

const error = (name: string, details: object = {}, status = 400): Answer => [
  status,
  { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'No.', ...details },
];
const cancelled = (Code: string, Item?: object): Answer =>
  error('TransactionCanceledException', { CancellationReasons: [{ Code, Item }] });
const success = (kind: 'Read' | 'Write'): Answer => [
  200,
  { ConsumedCapacity: [{ [`${kind}CapacityUnits`]: 2 }] },
];
const mismatch = error('IdempotentParameterMismatchException');

/** Milliseconds for which a token is kept. */
const tokenTime = 600_000;
/** Milliseconds for which an abandoned transaction holds its item. */
const abandonedTime = 5_000;

/** Runs an attempt, and then tells its answer. */
type Run = (reply: Line['reply'], holds?: number) => void;

const nobody = () => {};

/** A DynamoDB with one pet, whose every transaction holds its item for a while. */
export class SimulatedDynamodb {
  quantity = 0;
  /** How often the update with a token was applied. */
  readonly applied = new Map<string, number>();
  readonly #time: VirtualTime;
  readonly #world: World;
  readonly #running = new Set<Transaction>();
  readonly #tokens = new Map<string, { text: string; answer: Answer; until: number }>();

  constructor(time: VirtualTime, world: World) {
    this.#time = time;
    this.#world = world;
  }

  receive({ operation, body }: Received, line: Line): void {
    const input = JSON.parse(body);
    if (operation === 'TransactWriteItems') {
      this.#transact(input, line);
    } else if (operation === 'UpdateItem') {
      line.reply(this.#overwrite(input.ExpressionAttributeValues));
    } else {
      const isRead = operation === 'GetItem';
      line.reply(isRead ? [200, { Item: this.#item() }] : error('UnknownOperationException'));
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON
  #transact(input: any, line: Line): void {
    const [{ Update, ConditionCheck }] = input.TransactItems;
    const { Key, ConditionExpression, ExpressionAttributeValues } = Update ?? ConditionCheck;
    const transaction: Transaction = {
      token: input.ClientRequestToken,
      text: JSON.stringify(input.TransactItems),
      item: Key.petId.N,
      isUpdate: Update !== undefined,
      condition: ConditionExpression,
      values: ExpressionAttributeValues,
    };
    this.#runOrFail((reply, holds) => this.#run(transaction, reply, holds), line);
  }

  /** Runs an attempt, or lets something happen to it: it may run nevertheless, soon or late. */
  #runOrFail(run: Run, { reply, reset }: Line): void {
    if (Math.random() >= this.#world.faults) {
      run(reply);
      return;
    }
    // From 10 ms to four minutes.
    const late = () => void this.#time.sleep(10 * 24_000 ** Math.random()).then(() => run(nobody));
    const faults = [
      reset,
      () => run(reset),
      () => [reset, late].forEach((act) => void act()),
      () => run(nobody),
      late,
      () => run(nobody, abandonedTime),
      () => reply(cancelled('ThrottlingError')),
      () => reply(error('InternalServerError', {}, 500)),
      () => run(() => reply(error('InternalServerError', {}, 500))),
    ];
    faults[Math.floor(Math.random() * faults.length)]?.();
  }

  #run(transaction: Transaction, reply: Line['reply'], holds = this.#world.holds): void {
    const met = this.#metByToken(transaction) ?? this.#metByItem(transaction);
    if (met !== undefined) {
      reply(met);
      return;
    }
    this.#running.add(transaction);
    void this.#time.sleep(holds).then(() => {
      this.#running.delete(transaction);
      reply(this.#isTrue(transaction) ? this.#carryOut(transaction) : this.#refuse(transaction));
    });
  }

  #metByToken({ token, text }: Transaction): Answer | undefined {
    const known = this.#tokens.get(token);
    if (known !== undefined && this.#time.now() < known.until) {
      return known.text === text ? known.answer : mismatch;
    }
    const ofToken = [...this.#running].filter((each) => each.token === token);
    const isOther = ofToken.some((each) => each.text !== text);
    if (isOther && this.#world.running === 'compared') {
      return mismatch;
    }
    return ofToken.length > 0 ? error('TransactionInProgressException') : undefined;
  }

  #metByItem(transaction: Transaction): Answer | undefined {
    const isTrue = this.#isTrue(transaction);
    const isHeld = this.#isHeld(transaction.item);
    const { first, refusedHolds } = this.#world;
    if (!isTrue && (isHeld ? first === 'condition' : !refusedHolds)) {
      return this.#refuse(transaction);
    }
    return isHeld ? cancelled('TransactionConflict') : undefined;
  }

  #isHeld(item: string): boolean {
    return [...this.#running].some((each) => each.item === item);
  }

  #isTrue({ isUpdate, values, condition }: Transaction): boolean {
    return isUpdate
      ? values[':currentQuantity']?.N === String(this.quantity)
      : condition.includes(' OR ');
  }

  #refuse({ token, text }: Transaction): Answer {
    const answer = cancelled('ConditionalCheckFailed', this.#item());
    if (this.#world.refused === 'kept') {
      this.#keep(token, text, answer);
    }
    return answer;
  }

  #carryOut({ token, text, isUpdate, values }: Transaction): Answer {
    if (isUpdate) {
      this.quantity = Number(values[':quantity']?.N);
      this.applied.set(token, (this.applied.get(token) ?? 0) + 1);
    }
    this.#keep(token, text, success('Read'));
    return success('Write');
  }

  #keep(token: string, text: string, answer: Answer): void {
    this.#tokens.set(token, { text, answer, until: this.#time.now() + tokenTime });
  }

  /** Carries out an update without a condition, which waits for no transaction, but may meet one. */
  #overwrite(values: Values): Answer {
    if (this.#isHeld('7')) {
      return error('TransactionConflictException');
    }
    const Attributes = this.#item();
    this.quantity = Number(values[':quantity']?.N);
    return [200, { Attributes }];
  }

  #item() {
    const quantity = { N: String(this.quantity) };
    return { petId: { N: '7' }, quantity, status: { S: 'available' } };
  }
}
