/**
 * Preloaded into an instance. Stands in for the native part of AWS's runtime client, which would have to be compiled:
 * asks the Runtime API for invocations and posts buffered results.
 */
const { Agent, request } = require('node:http');
const { registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

const hooks = registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== './rapid-client.node') {
      return nextResolve(specifier, context);
    }
    hooks.deregister();
    return { url: pathToFileURL(__filename).href, format: 'commonjs', shortCircuit: true };
  },
});

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
// A function with nothing left to wait for ends, as on Lambda.
process.channel?.unref();

// One connection, so that the next invocation is asked for after the result has arrived.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (method, path, body, headers = {}) =>
  new Promise((resolve, reject) => {
    const url = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation/${path}`;
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers: { ...headers, ...length } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ bodyJson: String(Buffer.concat(chunks)), headers: response.headers }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });

exports.next = () => send('GET', 'next');
exports.done = (id, body) => send('POST', `${id}/response`, body);
exports.error = (id, body) => send('POST', `${id}/error`, body);
