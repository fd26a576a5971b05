import type { BoostingRound } from '@orchard/density-boosting';

/** Rounds that the table shows; what is left out is said. The curve has all. */
const MOST_LINES = 200;

/** A round with what its model is made of. */
export interface ShownRound extends BoostingRound {
  readonly edges: number;
}

/**
 * What only this family has to show: its rounds, their steps and weights, how likely the rows were after each, and how
 * far each was from the end.
 *
 * @param weights of the rounds that are kept
 */
export async function sectionsOf(weights: Float64Array, rounds: readonly ShownRound[]): Promise<readonly string[]> {
  // the drawing libraries take longer to load than small trees to learn
  const { drawCurves, formatCount, formatFigure, formatShare } = await import('@orchard/report');
  const kept = rounds[weights.length - 1]!;
  const x = rounds.map(({ round }) => round);
  const curve = drawCurves(
    'Likelihood by round',
    [
      { x, nats: rounds.map(({ train }) => train), isBeside: true },
      { x, nats: rounds.map(({ valid }) => valid) },
    ],
    'rounds',
    { x: kept.round, nats: kept.valid },
  );
  const lines = rounds.slice(0, MOST_LINES).map(({ round, step, train, valid, ratio, edges }, at) => {
    const cells = [
      step.toPrecision(3),
      at < weights.length ? formatShare(weights[at]!) : 'left out',
      formatCount(edges),
      ratio === undefined ? '' : ratio.toPrecision(4),
      formatFigure(train, 4),
      formatFigure(valid, 4),
    ];
    const name = `${formatCount(round)}${round === kept.round ? ' (kept up to here)' : ''}`;
    return `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const cut = rounds.length - lines.length;
  const rest = cut > 0 ? `<p class="note">${formatCount(cut)} more rounds are left out of the table.</p>` : '';
  const explained =
    `Each round adds a tree or a network, fitted to the rows that those before it find unlikely, with the step that makes the training rows likeliest; those before it keep the rest of the weight. ` +
    `Of ${formatCount(rounds.length)} rounds ${formatCount(kept.round)} are kept: the validation rows chose that number, so their likelihood flatters it.`;
  const head = [
    'round',
    'step',
    'weight in the end',
    'edges',
    'mean h / f',
    'training, nats per row',
    'validation, nats per row',
  ];
  const compared = rounds.filter(({ ratio }) => ratio !== undefined);
  const atKept = compared.find(({ round }) => round >= kept.round) ?? compared.at(-1);
  const learnability =
    atKept === undefined
      ? ''
      : `<p class="note">Mean h / f of the training rows is what decides whether a round gains: f is the model before it, h what was fitted to the rows weighted by 1 / f. Above 1, a step towards h makes the rows likelier; the curve is its logarithm, which falls to 0.</p>` +
        `<figure class="plot-figure">${drawCurves(
          'How far each round was from the end',
          [
            { x: compared.map(({ round }) => round), nats: compared.map(() => 0), isBeside: true },
            { x: compared.map(({ round }) => round), nats: compared.map(({ ratio }) => Math.log(ratio!)) },
          ],
          'rounds',
          { x: atKept.round, nats: Math.log(atKept.ratio!) },
          'log of mean h / f',
        )}</figure>`;
  return [
    `<section><h2>The rounds</h2><p class="note">${explained}</p>` +
      `<div class="key"><span><i></i>validation</span><span><i class="train"></i>training</span><span><i class="dot"></i>kept up to here</span></div>` +
      `<figure class="plot-figure">${curve}</figure>${learnability}` +
      `<div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>${rest}</section>`,
  ];
}
