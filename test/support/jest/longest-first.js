import Sequencer from '@jest/test-sequencer';

/** Files that take seconds: they start programs, or run all sessions of a folder. */
const long = /\.system\.ts$|\/ops\/(inventory|keys)\/\w+\.test\.ts$/;

/** Without the times of an earlier run, Jest begins with the largest files, of which none is long. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => long.test(b.path) - long.test(a.path));
  }
}
