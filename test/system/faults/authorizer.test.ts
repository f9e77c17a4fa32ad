import { describe } from '@jest/globals';
import { testAuthorizer } from './authorizer-faults.ts';
import { casesOf } from './kinds.ts';

describe('a request, when this happens to the GetItem of the authorizer:', () => {
  testAuthorizer(casesOf('quick'));
});
