import { test } from '@jest/globals';
import { expectSameProtocol } from '../../support/differential-protocol.ts';

test("many responses are read as the SDK's own client reads them", () => expectSameProtocol(4_000));
