import { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { Check, Deployment } from './deployment.ts';
import type { Report } from './finding.ts';
import { askForExecutions, readExecutions } from './lambda-concurrency.ts';
import { type ListSettings, listSettingsOf } from './template.ts';

/** The size of an entry in a plain list, if petIds are long. */
const bytesPerEntry = 63;

/** Lambda streams this much of a response at full speed, and the rest at a pace. In megabytes. */
const unpaced = 6;
const pacePerSecond = 2;

/** What one unit of a strongly consistent read covers. */
const bytesPerReadUnit = 4_096;

const longestTimeout = 300;

/** What one plain list of the whole table takes. */
interface CompleteList {
  entries: number;
  megabytes: number;
  seconds: number;
  readUnits: number;
}

/** Compares what the stage's lists may take with the account, their time limit and the table. */
export const checkLists: Check = async (deployment, report) => {
  const settings = listSettingsOf(deployment.stack.template);
  const list = await readTableSize(deployment, settings);
  if (list === undefined) {
    const missing = 'Unknown before the first deployment, because there is no table yet.';
    report('ok', missing, 'list time');
  } else {
    reportTime(settings, list, report);
    reportReads(settings, list, report);
  }
  const { unreserved } = await readExecutions(deployment);
  const available = settings.reserved ?? unreserved;
  const seconds = list && Math.min(list.seconds, settings.timeLimit);
  reportExecutions({ settings, available, seconds }, report);
};

/** Reads what DynamoDB says about the size of the table, undefined before the first deployment. */
const readTableSize = async (
  { client, deployed }: Deployment,
  { tableId }: ListSettings,
): Promise<CompleteList | undefined> => {
  const TableName = (await deployed)?.resources.get(tableId);
  if (TableName === undefined) {
    return undefined;
  }
  const { Table } = await new DynamoDB(client).describeTable({ TableName });
  const entries = Table?.ItemCount ?? 0;
  const megabytes = (entries * bytesPerEntry) / 1e6;
  return {
    entries,
    megabytes,
    seconds: Math.max(0, megabytes - unpaced) / pacePerSecond,
    readUnits: Math.ceil((Table?.TableSizeBytes ?? 0) / bytesPerReadUnit),
  };
};

const reportTime = ({ timeLimit }: ListSettings, list: CompleteList, report: Report): void => {
  const { entries, megabytes } = list;
  const seconds = Math.ceil(list.seconds);
  const size = `${entries.toLocaleString('en')} entries, about ${Math.ceil(megabytes)} MB`;
  const message =
    `A plain list of all entries (${size}; DynamoDB counts them every six hours) ` +
    `takes ${seconds} s at AWS's pace, of the ${timeLimit} s of list.timeout`;
  if (seconds <= timeLimit) {
    report('ok', `${message}.`, 'list time');
    return;
  }
  const remedy =
    seconds <= longestTimeout
      ? `Set list.timeout to ${seconds} s or more, or have clients accept gzip.`
      : `list.timeout may be ${longestTimeout} s at most: have clients accept gzip.`;
  report('warning', `${message}, so it is cut off. ${remedy}`, 'list time');
};

const reportReads = (settings: ListSettings, list: CompleteList, report: Report): void => {
  const { rate, readCeiling } = settings;
  const needed = list.readUnits * rate;
  const units = needed.toLocaleString('en');
  const message = `${rate} lists a second of all entries read ${units} units a second`;
  if (readCeiling === undefined) {
    report('ok', `${message}; tables.ceiling is not set.`, 'list reads');
    return;
  }
  const ceiling = `tables.ceiling.read allows ${readCeiling.toLocaleString('en')}`;
  if (needed <= readCeiling) {
    report('ok', `${message}; ${ceiling}.`, 'list reads');
    return;
  }
  const fitting = Math.floor(readCeiling / list.readUnits);
  const lower = fitting > 0 ? `list.throttling.rateLimit to ${fitting}, or ` : '';
  const remedy =
    `Set ${lower}tables.ceiling.read to ${needed} and, above 40,000, ` +
    'the quota of a table to the same.';
  report('warning', `${message}, but ${ceiling}; others are throttled. ${remedy}`, 'list reads');
};

interface ListExecutions {
  settings: ListSettings;
  /** The executions that lists may use. */
  available: number;
  /** How long a complete list takes, until it is cut off. Undefined if that is unknown. */
  seconds: number | undefined;
}

/** A burst runs at once, however short its lists are. The worst case is information. */
const reportExecutions = (executions: ListExecutions, report: Report): void => {
  const { settings, available, seconds } = executions;
  const { rate, burst, timeLimit, reserved } = settings;
  const steady = Math.ceil(rate * (seconds ?? 0));
  const ofRate =
    seconds === undefined
      ? ''
      : `${rate} plain lists of all entries a second need a concurrency of ${steady}, `;
  const source = reserved === undefined ? 'unreserved' : 'reserved for lists';
  const message = `${ofRate}a burst needs ${burst} at once; ${available} is ${source}`;
  const worst = `At worst, if each list takes ${timeLimit} s, ${rate * timeLimit} run at once.`;
  if (steady <= available && burst <= available) {
    report('ok', `${sentence(message)}. ${worst}`, 'list concurrency');
    return;
  }
  const remedy = sentence(remediesFor(executions, { steady, burst }).join(', or '));
  const found = `${sentence(message)}, so clients get a 5xx.`;
  report('warning', `${found} ${remedy} ${worst}`, 'list concurrency');
};

const remediesFor = (
  { settings, available, seconds }: ListExecutions,
  { steady, burst }: { steady: number; burst: number },
): string[] => {
  const remedies: string[] = [];
  const rate = Math.min(settings.rate, Math.floor(available / Math.max(seconds ?? 0, 1)));
  const burstLimit = Math.min(burst, available);
  if (rate > 0 && burstLimit > 0) {
    remedies.push(
      `set list.throttling to a rateLimit of ${rate} and a burstLimit of ${burstLimit}`,
    );
  }
  if (settings.reserved === undefined) {
    remedies.push(askForExecutions);
  } else {
    remedies.push(`set list.reservedConcurrency to ${Math.max(steady, burst)}.`);
  }
  return remedies;
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
