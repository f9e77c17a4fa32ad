/** A CDK app with one stage, whose lists have less time than staging's, and their own limit. */
import { App, Duration, Stage } from 'aws-cdk-lib';
import { InventoryStack } from '../../../infra/inventory-stack.ts';
import { staging } from '../../support/stack/stages.ts';
import { concurrentLists, listSeconds } from './list-limits.ts';

const list = {
  ...staging.list,
  timeout: Duration.seconds(listSeconds),
  reservedConcurrency: concurrentLists,
};
const stage = new Stage(new App(), 'staging');
new InventoryStack(stage, 'petstore-inventory', { ...staging, list });
