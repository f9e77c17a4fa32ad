/**
 * The process that is measured: loads a bundle, handles one event, then many, and writes a
 * Measurement (measure-handler.ts) to file descriptor 3. JavaScript, because stripping types would
 * cost more than some handlers do.
 *
 * usage: node run-handler.cjs BUNDLE EVENT WARM_UP_REQUESTS MEASURED_REQUESTS
 */
// On Lambda every handler uses TLS. Without this line, handlers that load TLS lazily would look too
// good here.
require('node:https');
const { writeSync } = require('node:fs');
const { pathToFileURL } = require('node:url');

const [, , bundle, eventJson, warmUp, measured] = process.argv;

const context = {
  awsRequestId: '11111111-2222-4333-8444-555555555555',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
  memoryLimitInMB: '1024',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => 10_000,
};

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const main = async () => {
  const { handler } = bundle.endsWith('.mjs')
    ? await import(pathToFileURL(bundle))
    : require(bundle);
  // Handlers may change the event they are given.
  const invoke = () => handler(JSON.parse(eventJson), context);

  const result = await invoke();
  const cold = {
    cpuMs: cpuMs(),
    wallMs: performance.now(),
    peakMb: process.resourceUsage().maxRSS / 1024,
  };

  for (let i = 0; i < Number(warmUp); i++) {
    await invoke();
  }
  const before = cpuMs();
  for (let i = 0; i < Number(measured); i++) {
    const { body } = await invoke();
    if (body !== result.body) {
      throw new Error(`Response ${i} differs from the first: ${body}`);
    }
  }
  const warmCpuMs = (cpuMs() - before) / Number(measured);
  writeSync(3, JSON.stringify({ result, cold, warmCpuMs }));
  process.exit();
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
