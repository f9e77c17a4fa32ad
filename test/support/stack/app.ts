import { App, Stage } from 'aws-cdk-lib';
import { InventoryStack } from '../../../infra/inventory-stack.ts';
import { prod, staging } from './stages.ts';

const app = new App();
new InventoryStack(new Stage(app, 'staging'), 'petstore-inventory', staging);
new InventoryStack(new Stage(app, 'prod'), 'petstore-inventory', prod);
