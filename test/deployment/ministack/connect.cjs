// Preloaded into cdk and petstore: a connection to a host of AWS becomes one to MiniStack.
const { readFileSync } = require('node:fs');
const tls = require('node:tls');

const { MINISTACK_PORT: port, AWS_CA_BUNDLE: certificate } = process.env;
const there = { host: '127.0.0.1', port, ca: readFileSync(certificate) };

const { connect } = tls;
tls.connect = (options, ...more) =>
  /\.amazonaws\.com$/.test(options.servername || options.host)
    ? connect({ ...options, ...there }, ...more)
    : connect(options, ...more);
