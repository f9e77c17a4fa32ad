import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../support/http-client.ts';
import { type LocalRun, localRun } from '../support/local-run.ts';

/** 2,300 cases in all; fast-check prints seed, path and the smallest counterexample of a failure. */
const runs = { petIds: 500, numerals: 700, values: 500, bytes: 200, headers: 200, paths: 200 };

describe('whatever a client sends', () => {
  let run: LocalRun;
  /** The quantity of every entry, as the answers of 200 have it. */
  const known = new Map<bigint, bigint>();
  const list = async () =>
    ((await run.send({ path: '/inventory' })).body as { petId: bigint; quantity: bigint }[]).map(
      ({ petId, quantity }) => [petId, quantity] as const,
    );
  beforeAll(async () => {
    run = await localRun();
    for (const [petId, quantity] of await list()) {
      known.set(petId, quantity);
    }
  });

  const json = { 'Content-Type': 'application/json' };
  const patch = (petId: string, body: string | Buffer, headers: Record<string, string | string[]> = json) =>
    run.send({ method: 'PATCH', path: `/inventory/${petId}`, headers, body });

  /** Asserts the status, and that the state changed as a 200 says and not at all otherwise. `send` asserts the contract. */
  const expectAnswer = async ({ status, body }: Answer, expected: number | number[]) => {
    expect([expected].flat()).toContain(status);
    if (status === 200) {
      const { petId, quantity } = body as { petId: bigint; quantity: bigint };
      known.set(petId, quantity);
    }
    expect(new Map(await list())).toEqual(known);
  };

  test('as petId: 200 for an entry, 404 for another int64, 400 for the rest', async () => {
    const limits = [-(2n ** 63n), 2n ** 63n - 1n, 0n, 2n ** 53n, 2n ** 64n, 42n];
    const around = fc
      .tuple(fc.constantFrom(...limits), fc.bigInt({ min: -2n, max: 2n }))
      .map(([limit, offset]) => String(limit + offset));
    const digits = fc.oneof(around, fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String));
    const bent = fc
      .tuple(
        digits,
        fc.constantFrom(
          (text: string) => text,
          (text: string) => `0${text}`,
          (text: string) => `+${text}`,
          (text: string) => ` ${text}`,
          (text: string) => `${text}.0`,
          (text: string) => `${text}e0`,
          (text: string) => `${text}n`,
          (text: string) => `0x${text}`,
          (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
        ),
      )
      .map(([text, bend]) => bend(text));
    const texts = fc.oneof({ weight: 2, arbitrary: digits }, bent, fc.string({ minLength: 1, unit: 'grapheme' }));
    const percent = (text: string, all: boolean) =>
      all
        ? [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
        : encodeURIComponent(text);

    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (text, all) => {
        // Dots alone are a path of their own.
        fc.pre(!/^\.+$/.test(text));
        const canonical = /^(0|-?[1-9][0-9]*)$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
        const answer = await patch(percent(text, all), '{"quantity":7}');
        await expectAnswer(answer, canonical ? (known.has(BigInt(text)) ? 200 : 404) : 400);
        if (answer.status === 200) {
          expect(answer.body).toMatchObject({ petId: BigInt(text), quantity: 7n });
        }
      }),
      { numRuns: runs.petIds },
    );
  });

  test('as a numeral: 200 with the same integer, 400 for all that is none or out of bounds', async () => {
    const digits = fc.oneof(
      fc.bigInt({ min: 0n, max: 10n ** 25n }).map(String),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }).map(String),
      fc.constantFrom('0', '1', '7'),
    );
    const zeros = fc.nat(25).map((count) => '0'.repeat(count));
    const fraction = fc.oneof(
      fc.constant(''),
      zeros.map((text) => `.0${text}`),
      fc.tuple(zeros, fc.nat(999)).map(([text, end]) => `.${text}${end}`),
    );
    const exponent = fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.oneof(fc.nat(25), fc.constantFrom(300, 400, 99999)))
        .map(([e, power]) => `${e}${power}`),
    );

    await fc.assert(
      fc.asyncProperty(fc.constantFrom('', '', '', '-'), digits, fraction, exponent, async (sign, whole, frac, exp) => {
        const numeral = sign + whole + frac + exp;
        const integer = exactInteger(sign, whole, frac, exp);
        const allowed = integer !== undefined && integer >= 0n && integer < 2n ** 53n;

        const answer = await patch('1', `{"quantity":${numeral}}`);
        await expectAnswer(answer, allowed ? 200 : 400);
        if (allowed) {
          expect(answer.body).toEqual({ petId: 1n, quantity: integer, status: 'available' });
        }
      }),
      { numRuns: runs.numerals },
    );
  });

  test('as a JSON value: 200 for {"quantity": <integer>} alone', async () => {
    const key = fc.oneof(fc.constantFrom('quantity', 'status', '__proto__', 'constructor', 'petId', ''), fc.string());
    const value = fc.oneof(fc.maxSafeInteger(), fc.jsonValue({ maxDepth: 4 }));
    const object = fc.array(fc.tuple(key, value), { maxLength: 3 }).map((pairs) => ({
      text: `{${pairs.map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`).join(',')}}`,
      names: pairs.map(([name]) => name),
      // Of a name given twice the last counts, as in JSON.parse.
      quantity: pairs.findLast(([name]) => name === 'quantity')?.[1],
    }));
    const anything = fc.jsonValue().map((json) => ({ text: JSON.stringify(json), names: ['?'], quantity: undefined }));

    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 3, arbitrary: object }, anything), async ({ text, names, quantity }) => {
        const allowed =
          names.every((name) => name === 'quantity') && Number.isSafeInteger(quantity) && (quantity as number) >= 0;
        await expectAnswer(await patch('1', text), allowed ? 200 : 400);
      }),
      { numRuns: runs.values },
    );
  });

  test('as bytes: 400', async () => {
    const cut = fc.nat(13).map((length) => Buffer.from('{"quantity":7}').subarray(0, length));
    const nested = fc.nat(60_000).map((depth) => Buffer.from(`{"quantity":${'['.repeat(depth)}`));
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }).map(Buffer.from), cut, nested);

    await fc.assert(
      fc.asyncProperty(bytes, async (body) => expectAnswer(await patch('1', body), 400)),
      { numRuns: runs.bytes },
    );
  });

  test('as headers: names and schemes in any case, JSON with any parameters', async () => {
    const anyCase = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) =>
          [...text].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
        );
    const contentTypes = fc.oneof(
      anyCase('application/json'),
      anyCase('application/json; charset=UTF-8'),
      fc.constantFrom('application/json;', 'application/json ;a=b', 'text/json', 'application/json5', '*/*', 'json'),
    );
    const keys = fc.constantFrom<(key: string) => string | string[]>(
      (key) => key,
      (key) => [key, 'Bearer x'],
      () => 'Bearer x',
      () => `Bearer petstore_staging_${'0'.repeat(48)}`,
      (key) => key.replace(' ', ''),
      (key) => `${key} `,
      (key) => `${key},${key}`,
      (key) => key.slice(0, -1),
    );

    await fc.assert(
      fc.asyncProperty(
        anyCase('authorization'),
        anyCase('bearer'),
        keys,
        anyCase('content-type'),
        contentTypes,
        async (authorization, bearer, bend, contentTypeName, contentType) => {
          const key = `${bearer} ${run.apiKey}`;
          const sent = bend(key);
          const headers = { [authorization]: sent, [contentTypeName]: contentType };
          const options = { method: 'PATCH', path: '/inventory/1', headers, body: '{"quantity":7}' };
          const allowed = /^application\/json *(;|$)/i.test(contentType) ? 200 : 400;
          // Trailing blanks are no part of a header's value; of several headers AWS may take any.
          const opens = Array.isArray(sent) ? [allowed, 401] : sent.trim() === key ? allowed : 401;
          await expectAnswer(await run.sendBare(options), opens);
        },
      ),
      { numRuns: runs.headers },
    );
  });

  test('as path and method: nothing but the two operations does anything', async () => {
    const segment = fc.oneof(
      fc.constantFrom('v1', 'inventory', '1', '', '.', '..', '%2e', '%2F', '%00', '%', 'ping', '{petId}'),
      fc.stringMatching(/^[\w~!$&'()*+,;=:@%.-]{0,8}$/),
    );
    const paths = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
    const methods = fc.constantFrom('GET', 'PATCH', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD');

    await fc.assert(
      fc.asyncProperty(methods, paths, fc.boolean(), async (method, path, withKey) => {
        const answer = await (withKey ? run.send : run.sendBare)({ method, path });
        // A PATCH without a body is a 400; a list does no harm.
        expect([200, 400, 401, 404, 405]).toContain(answer.status);
        expect(answer.status === 200).toBe(withKey && method === 'GET' && /^\/inventory\/?$/.test(path));
        expect(new Map(await list())).toEqual(known);
      }),
      { numRuns: runs.paths },
    );
  });
});

/** The integer that a decimal numeral denotes, if it denotes one, by arithmetic without rounding. */
const exactInteger = (sign: string, whole: string, fraction: string, exponent: string): bigint | undefined => {
  const digits = whole + fraction.slice(1);
  const power = Number(exponent.replace(/^e\+?/i, '') || 0) - Math.max(0, fraction.length - 1);
  const significant = digits.replace(/0+$/, '');
  const shift = power + digits.length - significant.length;
  if (significant === '' || /^0*$/.test(significant)) {
    return 0n;
  }
  if (shift < 0) {
    return undefined;
  }
  const magnitude = shift > 1_000 ? 10n ** 1_000n : BigInt(significant) * 10n ** BigInt(shift);
  return sign ? -magnitude : magnitude;
};
