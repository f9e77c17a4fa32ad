export * from '../../../ops/acceptance/suite/http-client.ts';
