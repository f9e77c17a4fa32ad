import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { cache, outputOf, runProgram } from '../../support/process/tools.ts';

/** openapi.yaml as clients of the latest release know it. Whoever releases copies it here. */
const released = join(import.meta.dirname, 'released-openapi.yaml');

const version = 'v1.36.0';
const programs = join(cache, `oasdiff-${version}`);
const install = ['go', 'install', `github.com/oasdiff/oasdiff@${version}`];
beforeAll(() => outputOf('env', `GOBIN=${programs}`, ...install));

/** Returns the operations that a contract breaks for clients of the released one. */
const broken = async (contract: string): Promise<string[]> => {
  const args = ['breaking', released, contract, '--format', 'json'];
  const { code, output, errors } = await runProgram(join(programs, 'oasdiff'), args, {
    OASDIFF_NO_TELEMETRY: '1',
  });
  expect({ code, errors }).toStrictEqual({ code: 0, errors: '' });
  const changes: { operationId: string }[] = JSON.parse(output);
  return [...new Set(changes.map(({ operationId }) => operationId))].sort();
};

test('CHANGELOG tells API clients of each operation that openapi.yaml breaks', async () => {
  const [, unreleased = ''] = readFileSync('CHANGELOG.md', 'utf8').split('\n## Unreleased\n');
  const [, clients = ''] = unreleased.split(/\n## /)[0]?.split('\n### For API clients\n') ?? [];
  const [forClients = ''] = clients.split('\n### ');
  const operations = await broken('openapi.yaml');
  expect(operations.filter((operation) => !forClients.includes(operation))).toStrictEqual([]);
});

test.each([
  {
    what: 'a property that entries no longer have breaks both operations',
    text: "        status: { $ref: '#/components/schemas/PetStatus' }\n",
    other: '',
    breaks: ['listInventory', 'updateInventory'],
  },
  {
    what: 'another description breaks nothing',
    text: 'summary: List inventory\n',
    other: 'summary: List all stock levels\n',
    breaks: [],
  },
])('$what', async ({ text, other, breaks }) => {
  const contract = readFileSync(released, 'utf8');
  expect(contract.split(text)).toHaveLength(2);
  const edited = join(mkdtempSync(join(tmpdir(), 'contract-')), 'openapi.yaml');
  writeFileSync(edited, contract.replace(text, other));
  expect(await broken(edited)).toStrictEqual(breaks);
});
