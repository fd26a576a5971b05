import { taskNames } from '@orchard/contracts';

export const candidatesFolder = 'candidates';

/** Where a mixture that one run of EM ended in is stored: its model file. */
export function candidateName(run: string, candidate: number): string {
  return taskNames.artefact({ run, key: candidateKey(candidate) }, candidatesFolder);
}

export function candidateKey(candidate: number): string {
  return `c${String(candidate)}`;
}

/** The candidate that a task's key names. */
export function candidateIn(key: string): number {
  return Number(key.slice(1));
}
