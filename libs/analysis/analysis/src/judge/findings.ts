import type { Judgement } from './judge-samples.js';

/** Standard errors beyond which it is not chance. */
const BEYOND_CHANCE = 3;
/** Nearer by less than this share is not reported, however many rows were compared. */
const LEAST_NEARER = 0.02;

/** What the samples give away of the training rows: sentences, none where nothing was found. */
export function findingsOf({ dcrShare, dcrError, copies, copiesOfHeldOut, rows }: Judgement): string[] {
  const findings: string[] = [];
  if (dcrShare - 0.5 > Math.max(LEAST_NEARER, BEYOND_CHANCE * dcrError))
    findings.push(`samples are nearer to training rows than to held-out rows: ${percent(dcrShare)} of them`);
  const variance = (share: number, count: number): number => (Math.max(share, 1 / count) * (1 - share)) / count;
  const chance = Math.sqrt(variance(copies, rows.samples) + variance(copiesOfHeldOut, rows.test));
  if (copies - copiesOfHeldOut > BEYOND_CHANCE * chance)
    findings.push(
      `samples equal training rows more often than held-out rows do: ${percent(copies)}, not ${percent(copiesOfHeldOut)}`,
    );
  return findings;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
