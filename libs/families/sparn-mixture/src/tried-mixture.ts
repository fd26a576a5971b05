import type * as Report from '@orchard/report';

/** A number of components, a step of EM and its best λ, and how good these are. */
export interface TriedMixture {
  readonly components: number;
  /** 0 of one component: nothing is shared out. */
  readonly step: number;
  readonly penalty: number;
  /** Weights that are not 0: those that components share, and those of one. */
  readonly shared: number;
  readonly own: number;
  /** Mean nats of the validation rows. */
  readonly valid: number;
}

/** What is shown of it beside its number of components. */
export const triedHeads = [
  'step of EM',
  'penalty λ',
  'weights that are shared',
  'weights of one component',
  'nats per row on the validation rows',
];

export function triedCells(
  { step, penalty, shared, own, valid }: TriedMixture,
  { formatCount, formatFigure }: typeof Report,
): string {
  const cells = [String(step), String(penalty), formatCount(shared), formatCount(own), formatFigure(valid, 4)];
  return cells.map((cell) => `<td>${cell}</td>`).join('');
}
