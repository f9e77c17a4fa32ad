// A start takes longer than all that these do with a local run, so they share one.
await import('./abuse.ts');
await import('./operators.ts');
