import { testExample } from '../support/clients/example.ts';

testExample(async () => ['sh', 'examples/curl/set-quantity.sh']);
