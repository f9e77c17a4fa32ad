import type { Summary } from './report-table.ts';

export interface Threshold {
  what: string;
  ratio: number;
  limit: number;
  met: boolean;
}

const bar = (what: string, ratio: number, limit: number): Threshold => ({
  what,
  ratio,
  limit,
  // As precise as it is printed; the machine's noise is larger.
  met: Number(ratio.toFixed(2)) <= limit,
});

/** What the service holds itself to: ratios of CPU within one run. */
export const barsOf = (
  update: Summary,
  authorizer: Summary,
  peers: Record<'cdkDefault' | 'esm' | 'express' | 'floor', Summary>,
): Threshold[] => {
  const cold = (peer: Summary, limit: number) =>
    bar(`cold start, to ${peer.name}`, update.coldCpuMs / peer.coldCpuMs, limit);
  const warm = (peer: Summary, limit: number) =>
    bar(`warm PATCH, to ${peer.name}`, update.warmCpuMs / peer.warmCpuMs, limit);
  return [
    cold(peers.esm, 0.85),
    cold(peers.cdkDefault, 0.75),
    cold(peers.express, 0.62),
    cold(peers.floor, 1.4),
    warm(peers.esm, 1),
    warm(peers.cdkDefault, 1),
    warm(peers.express, 0.8),
    bar('cold start of the authorizer, to that of PATCH', authorizer.coldCpuMs / update.coldCpuMs, 1),
  ];
};
