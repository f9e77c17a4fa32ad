// Preloaded into an instance. Stands in for the native part of AWS's runtime client, which would
// have to be compiled, and posts buffered results to the Runtime API.
const { request } = require('node:http');
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

// Makes the runtime client ask for invocations in JavaScript, because this stand-in exports no
// `next`.
process.env.AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1 = 'true';

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
// The channel must not keep the process alive: a function with nothing left to wait for ends, as on
// Lambda.
process.channel?.unref();

const post = (path, body) => {
  const url = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation/${path}`;
  request(url, { method: 'POST' }, (response) => response.resume()).end(body);
};

exports.done = (id, body) => post(`${id}/response`, body);
exports.error = (id, body) => post(`${id}/error`, body);
