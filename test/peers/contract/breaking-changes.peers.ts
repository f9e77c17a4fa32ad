import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cache, outputOf, project, runProgram } from '../../support/process/tools.ts';

/** openapi.yaml as clients of the latest release know it. Whoever releases copies it here. */
const released = join(import.meta.dirname, 'released-openapi.yaml');

const version = 'v1.36.0';
const programs = join(cache, `oasdiff-${version}`);

beforeAll(async () => {
  await outputOf(
    'env',
    `GOBIN=${programs}`,
    'go',
    'install',
    `github.com/oasdiff/oasdiff@${version}`,
  );
});

interface Change {
  operationId: string;
  text: string;
}

/** Returns what breaks clients of the released contract. */
const breakingChanges = async (revision: string): Promise<Change[]> => {
  const args = ['breaking', released, revision, '--format', 'json'];
  const { code, output, errors } = await runProgram(join(programs, 'oasdiff'), args, {
    OASDIFF_NO_TELEMETRY: '1',
  });
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return JSON.parse(output).map(({ operationId, text }: Change) => ({ operationId, text }));
};

/**
 * Returns the first change of each operation that CHANGELOG does not name where it says what is
 * unreleased and for API clients.
 */
const unannounced = (changes: Change[], changelog: string): Change[] => {
  const forClients = section('### For API clients', section('## Unreleased', changelog));
  const operations = new Map(changes.toReversed().map((change) => [change.operationId, change]));
  return [...operations.values()].filter(({ operationId }) => !forClients.includes(operationId));
};

/** Returns what follows a heading, up to the next one of its level. */
const section = (heading: string, markdown: string): string => {
  const [level = ''] = heading.split(' ');
  const [, text = ''] = `\n${markdown}`.split(`\n${heading}\n`);
  return text.split(`\n${level} `)[0] ?? '';
};

test('CHANGELOG tells API clients of each operation that openapi.yaml breaks', async () => {
  const changes = await breakingChanges(join(project, 'openapi.yaml'));
  expect(unannounced(changes, readFileSync('CHANGELOG.md', 'utf8'))).toEqual([]);
});

/** Returns a copy of the released contract in which one text is another. */
const edited = (text: string, other: string): string => {
  const contract = readFileSync(released, 'utf8');
  expect(contract.split(text)).toHaveLength(2);
  const file = join(mkdtempSync(join(tmpdir(), 'contract-')), 'openapi.yaml');
  writeFileSync(file, contract.replace(text, other));
  return file;
};

describe('of six edits of the contract,', () => {
  test.each([
    {
      what: 'a new required property of an update',
      text: 'required: [quantity]\n      additionalProperties: false\n      properties:\n',
      other:
        'required: [quantity, reason]\n      additionalProperties: false\n      properties:\n' +
        '        reason: { type: string }\n',
      operations: ['updateInventory'],
    },
    {
      what: 'a property that entries no longer have',
      text: "        status: { $ref: '#/components/schemas/PetStatus' }\n",
      other: '',
      operations: ['listInventory', 'updateInventory'],
    },
    {
      what: 'another name of a path',
      text: '  /inventory:\n',
      other: '  /stock:\n',
      operations: ['listInventory'],
    },
  ])('$what breaks clients, unless CHANGELOG names the operation', async (edit) => {
    const changes = await breakingChanges(edited(edit.text, edit.other));
    const broken = new Set(changes.map(({ operationId }) => operationId));
    expect([...broken].sort()).toEqual(edit.operations);

    const named = `## Unreleased\n\n### For API clients\n\n- ${edit.operations.join(', ')}\n`;
    expect(unannounced(changes, named)).toEqual([]);
    const forOthers = named.replace('API clients', 'operators');
    const inAnEarlierRelease = `## Unreleased\n\n${named.replace('Unreleased', '1.0.0')}`;
    for (const changelog of [forOthers, inAnEarlierRelease]) {
      expect(unannounced(changes, changelog)).toHaveLength(edit.operations.length);
    }
  });

  test.each([
    {
      what: 'another description',
      text: 'summary: List inventory\n',
      other: 'summary: List all stock levels\n',
    },
    {
      what: 'a new optional parameter',
      text: "      responses:\n        '200':\n          description: Every entry",
      other: `      parameters:
        - { name: status, in: query, schema: { $ref: '#/components/schemas/PetStatus' } }
      responses:\n        '200':\n          description: Every entry`,
    },
    {
      what: 'a larger quantity in an update',
      text: "        quantity: { $ref: '#/components/schemas/Quantity' }\n      examples:",
      other: '        quantity: { type: integer, format: int64, minimum: 0 }\n      examples:',
    },
  ])('$what breaks no client', async ({ text, other }) => {
    expect(await breakingChanges(edited(text, other))).toEqual([]);
  });
});
