import type { App, Stack } from 'aws-cdk-lib';
import { Template as StackTemplate } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { serviceApp } from '../../../infra/service-app.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import { prod, staging } from './stages.ts';
import { readable, type Template } from './template.ts';

const { context } = cdkJson;

/** Returns an app of the service in this process, without bundles, which take seconds. */
export const appOf = (stages: Record<string, StageSettings>): App =>
  serviceApp(stages, { context: { ...context, 'aws:cdk:bundling-stacks': [] } });

/** Returns the stack of a stage with these settings, before it is synthesized. */
export const stackNamed = (stageName: string, settings: StageSettings): Stack =>
  appOf({ [stageName]: settings })
    .node.findChild(stageName)
    .node.findChild('petstore-inventory') as Stack;

export const templateIn = (stack: Stack) => StackTemplate.fromStack(stack).toJSON() as Template;

/** Returns the template of a stage with these settings. */
export const templateOf = (stageName: string, settings: StageSettings): Template =>
  templateIn(stackNamed(stageName, settings));

export type StageName = keyof typeof delivered;

const delivered = { staging, prod };

/** Templates of the stages as they are delivered, made when a test first needs them. */
const made = new Map<StageName, Template>();
const read = new Map<StageName, ReturnType<typeof readable>>();

export const deliveredTemplate = (stageName: StageName): Template => {
  const template = made.get(stageName) ?? templateOf(stageName, delivered[stageName]);
  made.set(stageName, template);
  return template;
};

export const deliveredStack = (stageName: StageName) => {
  const stack = read.get(stageName) ?? readable(deliveredTemplate(stageName));
  read.set(stageName, stack);
  return stack;
};

/** Returns the stack of a stage named `test`, with these settings and else those of staging. */
export const stackWith = (settings: Partial<StageSettings>) =>
  readable(templateOf('test', { ...staging, ...settings }));

/** Returns the stack of a stage named `test` with these settings, and its name. */
export const stageOf = (settings: StageSettings) => {
  const stack = stackNamed('test', settings);
  return { ...readable(templateIn(stack)), stackName: stack.stackName };
};
