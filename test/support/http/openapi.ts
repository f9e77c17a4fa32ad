export * from '../../../ops/acceptance/suite/openapi.ts';
