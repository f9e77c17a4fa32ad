import { expect } from '@jest/globals';
import type { Finding } from '../../../ops/preflight/finding.ts';
import type { Person } from './account.ts';
import { pageOf } from './page.ts';
import { forStage } from './stage.ts';

export const preflight = pageOf('docs/preflight.md');

/** Makes the checks of preflight, and returns the exit code and what they find. */
export const preflightAs = async (person: Person, stage: string) => {
  const command = forStage(stage, preflight.command('petstore preflight'));
  const { code, output } = await person.end(`${command} --json`);
  const findings: Finding[] = JSON.parse(output);
  return { code, findings, notOk: findings.filter(({ outcome }) => outcome !== 'ok') };
};

/** Matches a finding whose message contains this text. */
export const finding = (outcome: Finding['outcome'], check: string, message: string) => ({
  outcome,
  check,
  message: expect.stringContaining(message),
});

export const nothingTiesProd = finding('warning', 'account and region', 'Nothing ties prod');

export const nobodyIsNotified = finding('warning', 'alarm subscribers', 'alarms notify nobody');
