import type { ForestMixtureModel } from '@orchard/mixture';
import type { Round } from './rounds.js';

/** Rounds that the table shows; what is left out is said. The curve has all. */
const MOST_LINES = 200;

/** What only this family has to show: its rounds, their steps and weights, and how likely the rows were after each. */
export async function sectionsOf(model: ForestMixtureModel, rounds: readonly Round[]): Promise<readonly string[]> {
  // the drawing libraries take longer to load than small trees to learn
  const { drawCurves, formatCount, formatFigure, formatShare } = await import('@orchard/report');
  const { weights, components } = model.mixture;
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
  const lines = rounds.slice(0, MOST_LINES).map(({ round, step, train, valid }, at) => {
    const edges = components[at]?.parents.filter((parent) => parent >= 0).length;
    const cells = [
      step.toPrecision(3),
      at < weights.length ? formatShare(weights[at]!) : 'left out',
      edges === undefined ? '' : formatCount(edges),
      formatFigure(train, 4),
      formatFigure(valid, 4),
    ];
    const name = `${formatCount(round)}${round === kept.round ? ' (kept up to here)' : ''}`;
    return `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const cut = rounds.length - lines.length;
  const rest = cut > 0 ? `<p class="note">${formatCount(cut)} more rounds are left out of the table.</p>` : '';
  const explained =
    `Each round adds a tree, fitted to the rows that the trees before it find unlikely, with the step that makes the training rows likeliest; the trees before it keep the rest of the weight. ` +
    `Of ${formatCount(rounds.length)} rounds ${formatCount(kept.round)} are kept: the validation rows chose that number, so their likelihood flatters it.`;
  const head = ['round', 'step', 'weight in the end', 'edges', 'training, nats per row', 'validation, nats per row'];
  return [
    `<section><h2>The rounds</h2><p class="note">${explained}</p>` +
      `<div class="key"><span><i></i>validation</span><span><i class="train"></i>training</span><span><i class="dot"></i>kept up to here</span></div>` +
      `<figure class="plot-figure">${curve}</figure>` +
      `<div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>${rest}</section>`,
  ];
}
