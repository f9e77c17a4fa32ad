// Generates openapi.d.ts, the types of openapi.yaml, with bigint for int64.
import { writeFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { factory, SyntaxKind } from 'typescript';

const bigint = factory.createKeywordTypeNode(SyntaxKind.BigIntKeyword);
const types = await openapiTypescript(new URL('../../openapi.yaml', import.meta.url), {
  transform: ({ format }) => (format === 'int64' ? bigint : undefined),
});
writeFileSync(new URL('openapi.d.ts', import.meta.url), astToString(types));
