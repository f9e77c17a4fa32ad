import { TestEnvironment } from 'jest-environment-node';

/** Skips the rest of a file once one of its tests has failed. */
export default class FailFast extends TestEnvironment {
  #failed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') {
      this.#failed = true;
    }
    if (name === 'test_start' && this.#failed) {
      test.mode = 'skip';
    }
  }
}
