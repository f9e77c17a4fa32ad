import { faultyRun } from './faulty-run.ts';
import { everyListFault, testLists } from './lists.ts';

// Fewer than the attempts of a page, of which the first has three.
const faults = [
  ...everyListFault(() => 1),
  ...everyListFault((page) => (page === 'the first page' ? 2 : 5)),
  ...everyListFault(() => Number.POSITIVE_INFINITY),
  // Such a page would take minutes, which a list may.
].filter(({ kind, page }) => kind !== 'a byte now and then' || page === 'the first page');

// Nearly all of the time is waiting.
testLists(faults, () => Promise.all(Array.from({ length: 10 }, () => faultyRun(4))));
