import type { FaultyRun } from './faulty-run.ts';

/** A line in the JSON log of a function or of the gateway. */
type Line = Record<string, unknown>;

/**
 * Begins to read what runs log. The returned function returns the lines since then: the errors of
 * the functions, and the access log of the gateway by request id.
 */
export const logFrom = (runs: FaultyRun[]) => {
  const starts = new Map(runs.map((run) => [run, run.log().length]));
  return () => {
    const text = [...starts].map(([run, start]) => run.log().slice(start)).join('');
    const lines = (text.match(/^\{.*$/gm) ?? []).map((line): Line => JSON.parse(line));
    const ofGateway = lines.filter(({ level }) => !level);
    return {
      errors: lines.filter(({ level }) => level === 'ERROR'),
      ofGateway: new Map(ofGateway.map((line) => [line.requestId, line])),
    };
  };
};
