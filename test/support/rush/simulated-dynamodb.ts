import type { Answer, Call } from './simulated-network.ts';
import type { VirtualTime } from './virtual-time.ts';

/** What AWS does not document, and how bad the day is. */
export interface Day {
  /** What a transaction is cancelled for that finds an item held, and a condition false. */
  reports: 'both, a conflict before a condition' | 'one, a condition before a conflict';
  /** For how many milliseconds a transaction holds its items. */
  holds: number;
  /** The share of attempts to which a fault happens. */
  faults: number;
}

type Item = Record<string, { N?: string; S?: string }>;
type Put = { Item: Item };
type Update = { ExpressionAttributeValues: Item };
interface Reason {
  Code: string;
  Item?: Item;
}

const error = (name: string, details: object = {}, status = 400): Answer => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'No.', ...details },
});
const cancelled = (...CancellationReasons: Reason[]): Answer =>
  error('TransactionCanceledException', { CancellationReasons });
const success: Answer = { status: 200, body: {} };

/** A DynamoDB with one pet and receipts, whose transactions hold their items for a while. */
export class SimulatedDynamodb {
  quantity: number;
  readonly receipts = new Map<string, Item>();
  readonly #held = new Set<string>();
  readonly #time: VirtualTime;
  readonly #day: Day;

  constructor(quantity: number, time: VirtualTime, day: Day) {
    this.quantity = quantity;
    this.#time = time;
    this.#day = day;
  }

  receive({ operation, input, reply, reset }: Call): void {
    const parsed = JSON.parse(input);
    const run = (answered: (answer: Answer) => void): void => {
      if (operation === 'PutItem') {
        answered(this.#refuse(parsed));
      } else {
        const [{ Put }, { Update }] = parsed.TransactItems;
        this.#transact(Put, Update, answered);
      }
    };
    if (Math.random() >= this.#day.faults) {
      run(reply);
      return;
    }
    const nobody = () => {};
    // From 10 ms to four minutes.
    const late = () => void this.#time.sleep(10 * 24_000 ** Math.random()).then(() => run(nobody));
    const serverError = error('InternalServerError', {}, 500);
    const faults = [
      reset,
      () => run(reset),
      () => [reset, late].forEach((act) => void act()),
      () => run(nobody),
      late,
      () => reply(cancelled({ Code: 'None' }, { Code: 'ThrottlingError' })),
      () => reply(serverError),
      () => run(() => reply(serverError)),
    ];
    faults[Math.floor(Math.random() * faults.length)]?.();
  }

  #transact(put: Put, update: Update, answered: (answer: Answer) => void): void {
    const { id } = put.Item as { id: { S: string } };
    const reasons = [
      this.#reason(id.S, !this.receipts.has(id.S), this.receipts.get(id.S)),
      this.#reason('the pet', this.#matches(update), this.#pet()),
    ];
    if (reasons.some(({ Code }) => Code !== 'None')) {
      answered(cancelled(...this.#reported(reasons)));
      return;
    }
    const items = [id.S, 'the pet'];
    for (const item of items) {
      this.#held.add(item);
    }
    void this.#time.sleep(this.#day.holds).then(() => {
      for (const item of items) {
        this.#held.delete(item);
      }
      this.receipts.set(id.S, put.Item);
      this.quantity = Number(update.ExpressionAttributeValues[':quantity']?.N);
      answered(success);
    });
  }

  #refuse({ Item }: Put): Answer {
    const { id } = Item as { id: { S: string } };
    const earlier = this.receipts.get(id.S);
    if (this.#held.has(id.S)) {
      return error('TransactionConflictException');
    }
    if (earlier !== undefined) {
      return error('ConditionalCheckFailedException', { Item: earlier });
    }
    this.receipts.set(id.S, Item);
    return success;
  }

  #reason(item: string, isTrue: boolean, Item: Item | undefined): Reason {
    const isHeld = this.#held.has(item);
    const conflictFirst = this.#day.reports === 'both, a conflict before a condition';
    if (isHeld && (isTrue || conflictFirst)) {
      return { Code: 'TransactionConflict' };
    }
    return isTrue ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...(Item && { Item }) };
  }

  /** Leaves out all but one reason, if that is what AWS does. */
  #reported(reasons: Reason[]): Reason[] {
    const codes = ['ConditionalCheckFailed', 'TransactionConflict'];
    const [first] = codes.flatMap((code) => reasons.filter(({ Code }) => Code === code));
    return this.#day.reports === 'both, a conflict before a condition'
      ? reasons
      : reasons.map((reason) => (reason === first ? reason : { Code: 'None' }));
  }

  #matches({ ExpressionAttributeValues: values }: Update): boolean {
    return values[':old_quantity']?.N === String(this.quantity);
  }

  #pet(): Item {
    return { petId: { N: '7' }, quantity: { N: `${this.quantity}` }, status: { S: 'available' } };
  }
}
