/**
 * Checks a stage before a release deploys to it. Needs credentials of AWS.
 *
 *     PETSTORE_BASE_URL=… PETSTORE_API_KEY=… npm run check-stage staging
 */
import { mendOutput, write } from './cli/output.ts';
import { checkStage } from './stage/check-stage.ts';

// Whoever writes learns of errors, which would otherwise end the process.
const stdout = mendOutput(process.stdout).on('error', () => {});

try {
  const [, , stageName] = process.argv;
  if (stageName === undefined) {
    throw new Error('Name the stage: npm run check-stage staging');
  }
  await write({ stdout }, `${await checkStage(stageName, process.env)}\n`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
