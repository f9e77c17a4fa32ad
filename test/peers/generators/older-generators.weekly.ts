import { testOpenapiGenerator } from '../../support/clients/openapi-generator.ts';
import { testTypescriptGenerators } from '../../support/clients/typescript-generators.ts';

// About a year older than those of generated-clients.peers.ts.
testOpenapiGenerator('7.17.0');

testTypescriptGenerators([
  { name: 'openapi-typescript-7.4', options: ['openapi.yaml', '--output'], file: 'types.ts' },
  {
    name: 'orval-7',
    options: ['--client', 'fetch', '--input', 'openapi.yaml', '--output'],
    file: 'client.ts',
  },
]);
