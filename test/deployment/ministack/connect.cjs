// Preloaded into cdk and petstore: a connection to a host of AWS becomes one to MiniStack.
const { readFileSync } = require('node:fs');
const tls = require('node:tls');

const { MINISTACK_PORT: port, MINISTACK_HOSTS: hosts, MINISTACK_CERTIFICATE: cert } = process.env;
const ofAws = new RegExp(hosts);
const there = { host: '127.0.0.1', port, ca: readFileSync(cert) };

const { connect } = tls;
tls.connect = (options, ...more) =>
  ofAws.test(options.servername || options.host)
    ? connect({ ...options, ...there }, ...more)
    : connect(options, ...more);
