// Compares the wire format with the SDK's as npm test does, in forty times as many cases.
process.env.DIFFERENTIAL_CASES = '4000';
await import('./wire-format.test.ts');
