import { expect, test } from '@jest/globals';
import { stackOf } from '../../support/stack/synthesized.ts';
import type { Json } from '../../support/stack/template.ts';

const filters = stackOf('prod').byName('AWS::Logs::MetricFilter');

/** Whether a metric filter counts a line. Its pattern becomes a condition of JavaScript. */
const counts = (pattern: string, line: object): boolean => {
  const condition = pattern
    .slice(1, -1)
    .replaceAll('$.', 'line.')
    .replaceAll(' IS FALSE', ' === false')
    .replaceAll(' = ', ' === ');
  return new Function('line', `return ${condition}`)(line);
};

const list = { method: 'GET', resourcePath: '/v1/inventory' };
const update = { method: 'PATCH', resourcePath: '/v1/inventory/{petId}' };
const throttled = { responseType: 'THROTTLED' };

test.each([
  {
    name: 'Throttled',
    log: '<ApiAccessLog>',
    counted: [
      { ...list, ...throttled },
      { ...update, ...throttled },
    ],
    left: [
      { ...list, responseType: '-' },
      { ...update, responseType: 'WAF_FILTERED' },
      // A scanner, at a route that answers without a key.
      { ...throttled, method: 'GET', resourcePath: '/{proxy+}' },
      { ...throttled, method: 'POST', resourcePath: '/v1/inventory' },
    ],
  },
  {
    name: 'ListFaults',
    log: '<ListInventoryLogs>',
    counted: [{ operation: 'listInventory', Faults: 1 }],
    left: [{ operation: 'listInventory', Faults: 0 }, { type: 'platform.report' }],
  },
  {
    name: 'RefusedKeys',
    log: '<AuthorizerLogs>',
    counted: [{ operation: 'authorize', allowed: false }],
    left: [
      { operation: 'authorize', allowed: true },
      { operation: 'authorize', level: 'ERROR' },
    ],
  },
])('$name counts the lines of $log that it is about, each once', ({ name, ...row }) => {
  const { LogGroupName, FilterPattern, MetricTransformations } = filters[`Alarms${name}`];
  const lines: Json[] = [...row.counted, ...row.left];
  expect({
    log: LogGroupName,
    counted: lines.filter((line) => counts(FilterPattern, line)),
    values: MetricTransformations.map(({ MetricValue }: Json) => MetricValue),
  }).toStrictEqual({ log: row.log, counted: row.counted, values: ['1'] });
});
