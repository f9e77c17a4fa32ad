// Preloaded into a process that a test has started, so that it ends with the test's process however
// that ends. A channel to the parent would not do: the launcher replaces its process.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid !== parent) {
    process.exit();
  }
}, 500);
watch.unref();
