import { test } from '@jest/globals';
import { expectSameProtocol } from '../../support/differential-protocol.ts';

test("responses are read as the SDK's own client reads them", () => expectSameProtocol(200));
