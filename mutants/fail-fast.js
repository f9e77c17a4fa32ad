import { TestEnvironment } from 'jest-environment-node';

let killed;

/** Skips what is left of a run once a test has failed: Jest goes on, and the mutant is killed already. */
export default class FailFast extends TestEnvironment {
  handleTestEvent({ name, test }) {
    const { __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
    if (name === 'test_fn_failure') {
      killed = mutant;
    }
    if (name === 'test_start' && mutant && killed === mutant) {
      test.mode = 'skip';
    }
  }
}
