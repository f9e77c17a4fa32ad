import { testOpenapiGenerator } from '../../support/clients/openapi-generator.ts';
import { testTypescriptGenerators } from '../../support/clients/typescript-generators.ts';

testOpenapiGenerator('7.25.0');

const contract = ['--input', 'openapi.yaml', '--output'];

testTypescriptGenerators([
  {
    name: 'openapi-typescript-7.13',
    options: ['openapi.yaml', '--output'],
    file: 'types.ts',
  },
  { name: 'orval-8', options: ['--client', 'fetch', ...contract], file: 'client.ts' },
  { name: '@hey-api/openapi-ts', options: ['--no-log-file', ...contract], file: '' },
]);
