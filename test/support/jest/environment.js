import { TestEnvironment } from 'jest-environment-node';

// Jest's worker processes would outlive a Jest that is killed, for as long as a test has something
// open. (A listener of `disconnect` would keep each worker from ending after its last file.)
const watch = setInterval(() => {
  if (process.connected === false) {
    process.exit();
  }
}, 1_000);
watch.unref();

export default TestEnvironment;
