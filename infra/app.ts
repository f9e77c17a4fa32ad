import { App, RemovalPolicy, Stage } from 'aws-cdk-lib';
import { InventoryStack } from './inventory-stack.ts';

const app = new App();

new InventoryStack(new Stage(app, 'staging'), 'petstore-inventory', {
  tables: { removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false, pointInTimeRecovery: false },
});

new InventoryStack(new Stage(app, 'prod'), 'petstore-inventory', {
  tables: { removalPolicy: RemovalPolicy.RETAIN, deletionProtection: true, pointInTimeRecovery: true },
});
