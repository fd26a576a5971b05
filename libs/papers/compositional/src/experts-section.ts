import type { BitMatrix } from '@orchard/dataset';
import { PlacedPursuit, Pursuit, type Experts } from './compositions/index.js';
import { PlacedCompositional, type Compositional } from './compositional-model.js';
import { HOW_LOOSE } from './placed-model.js';
import type { Step } from './steps.js';

/** Columns of an expert that are named, and rows that are shown with their explanations; what is left out is said. */
const COLUMNS = 8;
const ROWS = 12;
const STEPS = 200;

/** What only this family has to show: its templates, how they explain rows, and the steps of EM. */
export async function sectionsOf(
  model: Compositional | PlacedCompositional,
  steps: readonly Step[],
  chosen: Pick<Step, 'restart' | 'step'>,
  train: BitMatrix,
): Promise<readonly string[]> {
  const isBound = model instanceof PlacedCompositional;
  const experts = isBound ? model.placed.experts : model.experts;
  const pursuit = isBound ? new PlacedPursuit(model.placed) : new Pursuit(experts);
  const explained = model.shape === null ? [] : [await explanationsSection(experts, pursuit, model.shape, train)];
  const placed = isBound && model.placed.places.options !== null ? [placesSection(model)] : [];
  return [await expertsSection(experts, model), ...placed, ...explained, await stepsSection(steps, chosen, isBound)];
}

/** Where experts lie on average, and how far from there. */
function placesSection({ placed: { experts, places, placement } }: PlacedCompositional): string {
  const { shifts, turns } = places.options!;
  const axes = [
    ...(shifts > 0 ? ['pixels down', 'pixels right'] : []),
    ...(turns > 0 ? ['tens of degrees turned'] : []),
  ];
  const all = placement.mean.length;
  const order = Array.from(experts.active.keys()).sort((a, b) => experts.active[b]! - experts.active[a]! || a - b);
  const lines = order.map((expert) => {
    const cells = axes.map((_, axis) => {
      const at = expert * axes.length + axis;
      const deviation = Math.sqrt(placement.covariance[at * all + at]!);
      return `<td>${placement.mean[at]!.toFixed(1)} ± ${deviation.toFixed(1)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const note = `Of each expert, in the order above, where it lies on average, and the standard deviation. They are of one Gaussian, whose covariances the file has. ${HOW_LOOSE}`;
  return `<section><h2>Where they lie</h2><p class="note">${note}</p><div class="scroll"><table><thead><tr>${axes.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div></section>`;
}

async function expertsSection(
  experts: Experts,
  { names, shape }: Pick<Compositional, 'names' | 'shape'>,
): Promise<string> {
  // the drawing libraries take longer to load than few experts to learn
  const { dimensionLabel, escapeHtml, formatCount, formatShare, SHADES, templateImage } =
    await import('@orchard/report');
  const { active, abstaining, composition } = experts;
  const order = Array.from(active.keys()).sort((a, b) => active[b]! - active[a]! || a - b);
  const silent = `An expert has no say where it is at ${formatShare(abstaining)}.`;
  if (shape !== null) {
    const images = order.map((expert) => {
      const image = templateImage(experts.template(expert), shape, 'A template');
      return `<figure class="pair">${image}<figcaption>${formatShare(active[expert]!)}</figcaption></figure>`;
    });
    const note = `How often each pixel is 1 under each expert, in ${String(SHADES)} shades, and in what share of rows it is active. ${silent} Composed by ${composition}.`;
    return `<section><h2>The experts</h2><p class="note">${note}</p><div class="pairs">${images.join('')}</div></section>`;
  }
  const lines = order.map((expert) => {
    const template = experts.template(expert);
    const gap = (dim: number): number => Math.abs(template[dim]! - abstaining);
    const own = Array.from(template.keys())
      .filter((dim) => gap(dim) > 0)
      .sort((a, b) => gap(b) - gap(a) || a - b);
    const shown = own
      .slice(0, COLUMNS)
      .map((dim) => `${escapeHtml(dimensionLabel(dim, names, shape))} ${formatShare(template[dim]!)}`);
    return `<tr><th scope="row">${formatShare(active[expert]!)}</th><td>${formatCount(own.length)}</td><td>${shown.join('; ')}</td></tr>`;
  });
  const note = `Of each expert the share of rows in which it is active, of how many columns it says anything, and the ${String(COLUMNS)} of which it is surest with their share of ones. ${silent} Composed by ${composition}. Of all columns the file has every rate.`;
  const head = ['active', 'columns', 'ones, where it is surest'];
  return `<section><h2>The experts</h2><p class="note">${note}</p><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div></section>`;
}

/** Rows beside the composed template of their explanation, as the thesis' figure 3.4 has them. */
async function explanationsSection(
  experts: Experts,
  pursuit: Pursuit | PlacedPursuit,
  shape: readonly [number, number],
  train: BitMatrix,
): Promise<string> {
  const { templateImage } = await import('@orchard/report');
  const values = new Uint8Array(experts.dimensions);
  const rates = new Float64Array(experts.dimensions);
  const shown = Math.min(ROWS, train.rows);
  const pairs = Array.from({ length: shown }, (_, at) => {
    train.readRow(at, values);
    const { experts: active } = pursuit.explain(values);
    pursuit.composed.ratesInto(rates);
    const count = `${String(active.length)} ${active.length === 1 ? 'expert' : 'experts'}`;
    return `<figure class="pair">${templateImage(Float64Array.from(values), shape, 'A row')}${templateImage(rates, shape, 'Its explanation')}<figcaption>${count}</figcaption></figure>`;
  });
  const note = `The first ${String(shown)} training rows, and what the experts that explain each make of it together.`;
  return `<section><h2>Rows explained</h2><p class="note">${note}</p><div class="pairs">${pairs.join('')}</div></section>`;
}

async function stepsSection(
  steps: readonly Step[],
  chosen: Pick<Step, 'restart' | 'step'>,
  isBound: boolean,
): Promise<string> {
  const { formatCount, formatFigure } = await import('@orchard/report');
  const lines = steps.slice(0, STEPS).map(({ restart, step, explained, valid }) => {
    const isChosen = restart === chosen.restart && step === chosen.step;
    const name = step === 0 ? 'start' : String(step);
    const cells = [name, explained === null ? '' : formatFigure(explained, 4), formatFigure(valid, 4)];
    return `<tr><th scope="row">${String(restart + 1)}${isChosen ? ' (chosen)' : ''}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  });
  const cut = steps.length - lines.length;
  const rest = cut > 0 ? `<p class="note">${formatCount(cut)} more steps are left out of the table.</p>` : '';
  const note = `The validation rows chose among ${formatCount(steps.length)} steps, so they flatter the model. Explained: mean nats of a training row under the template that its explanation composes, before the step.`;
  const head = [
    'run of EM',
    'step',
    'explained',
    `nats per row on the validation rows${isBound ? ', at least (a lower bound)' : ''}`,
  ];
  return `<section><h2>The steps</h2><p class="note">${note}</p><div class="scroll"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>${rest}</section>`;
}
