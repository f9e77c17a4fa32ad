import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A table whose key has this name. DynamoDB replaces a table to change its key. */
export const tableOf = (key: string, properties: object = {}) => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  Properties: { KeySchema: [{ AttributeName: key, KeyType: 'HASH' }], ...properties },
});

export const templateOf = (commit: string, Inventory: object = tableOf('petId')) => ({
  Resources: { Inventory },
  Outputs: { Commit: { Value: commit } },
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: the CDK fills this in.
const lookupRole = 'arn:${AWS::Partition}:iam::${AWS::AccountId}:role/lookup';

/** Writes a cloud assembly of both stages, as `cdk synth` does, and returns its directory. */
export const assemblyOf = (
  template: object,
  environment = 'aws://unknown-account/unknown-region',
): string => {
  const directory = mkdtempSync(join(tmpdir(), 'release-'));
  for (const stage of ['staging', 'prod']) {
    const stack = {
      type: 'aws:cloudformation:stack',
      environment,
      properties: {
        templateFile: 'template.json',
        stackName: `${stage}-petstore-inventory`,
        lookupRole: { arn: lookupRole },
      },
    };
    const of = join(directory, `assembly-${stage}`);
    mkdirSync(of);
    writeFileSync(join(of, 'template.json'), JSON.stringify(template));
    const manifest = { version: '50.0.0', artifacts: { stack } };
    writeFileSync(join(of, 'manifest.json'), JSON.stringify(manifest));
  }
  return directory;
};
