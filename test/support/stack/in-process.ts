import type { Stack } from 'aws-cdk-lib';
import { Template as StackTemplate } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { serviceApp } from '../../../infra/service-app.ts';
import type { StageSettings } from '../../../infra/settings/stage-settings.ts';
import type { Template } from './template.ts';

/**
 * Returns the stack of a stage with these settings, before it is synthesized: in this process, and
 * without bundles, which take seconds.
 */
export const stackNamed = (
  stageName: string,
  settings: StageSettings,
  { context = {}, commit }: { context?: object; commit?: string } = {},
): Stack =>
  serviceApp(
    { [stageName]: settings },
    { context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [], ...context }, commit },
  )
    .node.findChild(stageName)
    .node.findChild('petstore-inventory') as Stack;

export const templateIn = (stack: Stack) => StackTemplate.fromStack(stack).toJSON() as Template;

/** Returns the template of a stage with these settings. */
export const templateOf = (stageName: string, settings: StageSettings): Template =>
  templateIn(stackNamed(stageName, settings));
