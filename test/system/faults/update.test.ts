import { describe } from '@jest/globals';
import { casesOf } from './kinds.ts';
import { testUpdates } from './update-faults.ts';

const silent = 'DynamoDB was silent for 2000 ms.';

describe('an update, when this happens to UpdateItem:', () => {
  testUpdates(casesOf('quick'), [
    ['TransientError', 'The response of DynamoDB cannot be read.', 'Its checksum is missing or another.'],
    ['TransientError', 'The response of DynamoDB cannot be read.', 'It is no object.'],
    ['TransientError', `DynamoDB sent no response: ${silent}`, silent],
    ['UnknownError', 'UnknownError'],
    ['AccessDeniedException', 'No'],
    ['ResourceNotFoundException', 'No table'],
  ]);
});
