import { describe } from '@jest/globals';
import { testAuthorizer } from './authorizer-faults.ts';
import { casesOf } from './kinds.ts';

const { wearingOff, lasting } = casesOf('slow');

describe('a request, when this happens to the GetItem of the authorizer and wears off:', () => {
  testAuthorizer(wearingOff);
});

describe('a request, when this happens to the GetItem of the authorizer and lasts:', () => {
  testAuthorizer(lasting);
});
