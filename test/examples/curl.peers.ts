import {
  testEnvironmentProxy,
  testSetQuantityExample,
} from '../support/clients/set-quantity-example.ts';

testSetQuantityExample(async () => ['sh', 'examples/curl/set-quantity.sh']);

testEnvironmentProxy();
