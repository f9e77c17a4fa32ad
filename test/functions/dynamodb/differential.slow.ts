// What is compared with the SDK in npm test, compared in twenty times as many cases.
process.env.DIFFERENTIAL_CASES = '4000';
await import('./json-protocol.test.ts');
await import('./signature-v4.test.ts');
