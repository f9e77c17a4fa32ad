/**
 * Checks a stage before a release deploys to it. Needs credentials of AWS.
 *
 *     PETSTORE_BASE_URL=… PETSTORE_API_KEY=… npm run check-stage staging
 */
import { checkStage } from './stage/check-stage.ts';

try {
  const [, , stageName] = process.argv;
  if (stageName === undefined) {
    throw new Error('Name the stage: npm run check-stage staging');
  }
  console.log(await checkStage(stageName, process.env));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
