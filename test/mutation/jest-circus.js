import { createEmptyTestResult } from '@jest/test-result';
import circus from 'jest-circus/runner';

let killed;

/**
 * Jest's own runner of a test file, but it skips all tests after the first failure, which has
 * killed the mutant.
 */
export default async (globalConfig, config, environment, ...others) => {
  const { __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
  const isKilled = () => mutant !== undefined && killed === mutant;
  if (isKilled()) {
    // Jest fails a test file that has no tests.
    const skipped = { fullName: 'not loaded', status: 'pending', failureMessages: [] };
    return { ...createEmptyTestResult(), numPendingTests: 1, testResults: [skipped] };
  }
  const handleTestEvent = environment.handleTestEvent?.bind(environment);
  environment.handleTestEvent = async (event, state) => {
    if (event.name === 'test_fn_failure') {
      killed = mutant;
    }
    if (event.name === 'test_start' && isKilled()) {
      event.test.mode = 'skip';
    }
    await handleTestEvent?.(event, state);
  };
  return circus.default(globalConfig, config, environment, ...others);
};
