// Runs the comparisons with the SDK that npm test runs, with twenty times as many cases.
process.env.DIFFERENTIAL_CASES = '4000';
await import('./json-protocol.test.ts');
await import('./signature-v4.test.ts');
