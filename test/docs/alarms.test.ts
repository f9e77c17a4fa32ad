import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { goesOff, type Minute, periodMinutes } from '../infra/observability/alarm-state.ts';
import { watchedBy } from '../infra/observability/metric-text.ts';
import { sectionsOf, textOf } from '../support/docs/markdown.ts';
import { stageOf } from '../support/stack/in-process.ts';
import { prod } from '../support/stack/stages.ts';
import type { Json } from '../support/stack/template.ts';

const stack = stageOf(prod);
const everyAlarm = stack.all('AWS::CloudWatch::Alarm');
const alarms = Object.fromEntries(
  Object.entries(stack.byName('AWS::CloudWatch::Alarm'))
    .filter(([id]) => id.startsWith('Alarms'))
    .map(([id, alarm]) => [id.replace('Alarms', ''), alarm]),
);
const names = Object.keys(alarms).sort();

/** A row of the table of alarms, for one of the alarms that it names. */
interface Row {
  name: string;
  threshold: number;
  /** Such as `3 of 5 × 1 min`. */
  within: string;
  /** The largest blip that sends no mail, such as `2` with the unit `minutes`. */
  blip: number;
  unit: string;
}

const isTableOfAlarms = ({ title }: { title: string }) => title === 'Alarms';
const text = sectionsOf(textOf('docs/monitoring.md')).find(isTableOfAlarms)?.text ?? '';
const lines = text.matchAll(
  /^\| (\w+(?:, \w+)*) \| ([\d,]+) [^|]+ \| (\d+ of \d+ × \d+ min) \| (\d+) (\w+) \|$/gm,
);
const rows: Row[] = [...lines].flatMap(([, list = '', threshold = '', within = '', blip, unit]) =>
  list.split(', ').map((name) => ({
    name,
    threshold: Number(threshold.replace(',', '')),
    within,
    blip: Number(blip),
    unit: unit ?? '',
  })),
);

test('docs/monitoring.md has a row for each alarm of a stage', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(names);
});

const runbook = textOf('docs/runbook.md');
const ofAlarms = [...runbook.matchAll(/^### (\w+)\n([\s\S]*?)(?=^##)/gm)].map(
  ([, name = '', section = '']) => ({ name, section }),
);

test('docs/runbook.md has a section for each alarm, to which its first table leads', () => {
  const listed = runbook.matchAll(/^\| \[(\w+)\]\(#(\w+)\) \|/gm);
  const links = [...listed].map(([, name = '', anchor = '']) => ({ name, anchor }));
  expect(ofAlarms.map(({ name }) => name).sort()).toEqual(names);
  expect(links.map(({ name }) => name).sort()).toEqual(names);
  expect(links.filter(({ name, anchor }) => anchor !== name.toLowerCase())).toEqual([]);
});

const steps = ['Impact.', 'Is it real?', 'Stop it.', 'Find the cause.', 'Tell.'];

test.each(ofAlarms)('the section of $name says what to do, in one order', ({ section }) => {
  expect(section.match(/(?<=^\*\*).+?(?=\*\*)/gm)).toEqual(steps);
  expect(section.replaceAll(/\s+/g, ' ')).toContain('It is over when');
});

test('the page that the description of each alarm names exists', () => {
  const descriptions = everyAlarm.map(({ AlarmDescription }) => AlarmDescription);
  const pages = descriptions.map((text) => / See (?:\w+ in )?(docs\/\S+\.md)\.$/.exec(text)?.[1]);
  expect(new Set(pages)).toEqual(new Set(['docs/runbook.md', 'docs/failed-deployment.md']));
  expect([...new Set(pages)].filter((page) => !existsSync(page ?? ''))).toEqual([]);
});

test('the graphs that docs/runbook.md names are on the dashboard', () => {
  const [{ DashboardBody }] = stack.all('AWS::CloudWatch::Dashboard');
  const titles = JSON.parse(DashboardBody).widgets.map(({ properties }: Json) => properties.title);
  const named = textOf('docs/runbook.md').match(/(?<=(?<!\*)\*)[A-Z][^*\n]+(?=\*(?!\*))/g) ?? [];
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((title) => !titles.includes(title))).toEqual([]);
});

test.each(rows)('the table has the threshold and the periods of $name', (row) => {
  const alarm = alarms[row.name];
  const { Threshold, DatapointsToAlarm, EvaluationPeriods } = alarm;
  const within = `${DatapointsToAlarm} of ${EvaluationPeriods} × ${periodMinutes(alarm)} min`;
  expect({ threshold: row.threshold, within: row.within }).toEqual({
    threshold: Threshold,
    within,
  });
});

/** Requests in five minutes at 10,000 requests an hour, and lists if every tenth request is one. */
const ofFiveMinutes = { requests: 833, lists: 83 };

/** Returns a minute in which each metric of an alarm has a value. */
const minuteOf = (alarm: Json, valueOfMetric: (id: string) => number): Minute =>
  Object.fromEntries(
    Object.entries(watchedBy(alarm).metrics).map(([id, metric]) => [
      metric.replace(/, \w+ of \d+ s$/, ''),
      valueOfMetric(id),
    ]),
  );

/** Returns a blip: so many bad minutes, or so many events in a minute among the usual requests. */
const blipOf = (alarm: Json, count: number, unit: string): Minute[] => {
  if (unit === 'minutes') {
    return Array(count).fill(minuteOf(alarm, () => 1_000_000));
  }
  const usual = unit === 'lists' ? ofFiveMinutes.lists : ofFiveMinutes.requests;
  return [minuteOf(alarm, (id) => (id === 'requests' ? usual : count))];
};

test.each(rows)('$name stays off at a blip of $blip $unit, and goes off at one more', (row) => {
  const alarm = alarms[row.name];
  const isOn = (count: number) => goesOff(alarm, blipOf(alarm, count, row.unit));
  expect([isOn(row.blip), isOn(row.blip + 1)]).toEqual([false, true]);
});
