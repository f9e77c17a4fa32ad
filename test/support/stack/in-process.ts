import type { App, Stack } from 'aws-cdk-lib';
import { Template as StackTemplate } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { serviceApp } from '../../../infra/service-app.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import type { Template } from './template.ts';

const { context } = cdkJson;

/** Returns an app of the service in this process, without bundles, which take seconds. */
const appOf = (stages: Record<string, StageSettings>, commit?: string): App =>
  serviceApp(stages, {
    context: { ...context, 'aws:cdk:bundling-stacks': [] },
    ...(commit && { commit }),
  });

/** Returns the stack of a stage with these settings, before it is synthesized. */
export const stackNamed = (stageName: string, settings: StageSettings, commit?: string): Stack =>
  appOf({ [stageName]: settings }, commit)
    .node.findChild(stageName)
    .node.findChild('petstore-inventory') as Stack;

export const templateIn = (stack: Stack) => StackTemplate.fromStack(stack).toJSON() as Template;

/** Returns the template of a stage with these settings. */
export const templateOf = (stageName: string, settings: StageSettings): Template =>
  templateIn(stackNamed(stageName, settings));
