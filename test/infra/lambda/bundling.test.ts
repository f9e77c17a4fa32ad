import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { deployed } from '../../functions/deployed-function.ts';

const needed = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/lib-dynamodb',
  '@aws-sdk/util-dynamodb',
  '@middy/core',
  '@middy/http-json-body-parser',
  '@middy/util',
  '@smithy/core',
  '@smithy/types',
];

describe.each(['Authorizer', 'ListInventory', 'UpdateInventory'])('what is deployed of %s', (constructId) => {
  let directory: string;
  let bundle: string;
  let map: { sources: string[]; sourcesContent?: string[] };
  beforeAll(async () => {
    ({ directory } = deployed(constructId));
    bundle = readFileSync(join(directory, 'index.js'), 'utf8');
    map = JSON.parse(readFileSync(join(directory, 'index.js.map'), 'utf8'));
  });

  test('is one bundle and its map', () => {
    expect(readdirSync(directory).sort()).toEqual(['index.js', 'index.js.map']);
    expect(bundle.length).toBeLessThan(120_000);
  });

  test('holds no part of the SDK that has no work to do', () => {
    const packages = map.sources.map((source) => /.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
    expect([...new Set(packages)].filter((name) => name && !needed.includes(name))).toEqual([]);
    // The credential chain, XML, shared configuration files, HTTP with fetch along.
    expect(bundle).not.toMatch(/AssumeRole|<\?xml|\.aws\/|import\("node:http"\)/);
  });

  test('loads nothing of Node that it does not need, and nothing from outside', () => {
    const required = [...bundle.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(
      [...new Set(required)].filter(
        (name) =>
          !/^node:(crypto|events|fs|http|https|module|stream(\/(promises|web))?|timers|url|zlib)$/.test(name ?? ''),
      ),
    ).toEqual([]);
  });

  test('has a map that Node does not read by itself, without the text of the sources', () => {
    expect(bundle).not.toContain('sourceMappingURL');
    expect(map.sourcesContent).toBeUndefined();
    expect(map.sources).toContainEqual(expect.stringMatching(/functions\/dynamodb\/dynamodb-client\.ts$/));
  });
});
