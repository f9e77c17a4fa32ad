import TestSequencer from '@jest/test-sequencer';

/** The opposite of Jest's own order, which is good for processes side by side. */
export default class QuickestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).reverse();
  }
}
