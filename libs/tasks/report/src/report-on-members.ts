import {
  isChosenByDimension,
  type MemberFigures,
  type MembersSummary,
  type SettledSpecification,
} from '@orchard/contracts';
import type { DensityModel } from '@orchard/model';
import { bitSections } from './bits-sections.js';
import { describeSettings } from './describe-run.js';
import { drawsOfModel } from './report-on-model.js';
import { headline } from './headline.js';
import { reportPage } from './report-page.js';
import type { Reported } from './reported.js';
import { section } from './section.js';
import { BITS_PER_NAT, escapeHtml, formatCount, formatFigure, formatGain, formatNats } from './text.js';
import { tuningSection } from './tuning-section.js';
import { warningsSection } from './warnings-section.js';

/** A mixture of a run's members. */
export interface FinishedMixture extends Reported {
  readonly runId: string;
  readonly specification: SettledSpecification;
  readonly model: DensityModel;
  readonly summary: MembersSummary;
}

/**
 * The page about a mixture: its members and what each adds, draws, columns, settings. The same mixture gives the same
 * bytes.
 */
export async function reportOnMembers(mixture: FinishedMixture): Promise<string> {
  const { model, summary, splits, cells } = mixture;
  const { train, valid, test } = splits;
  const count = summary.members.length;
  const what = `${formatCount(count)} ${count === 1 ? 'member' : 'members'}`;
  const warnings = (summary['warnings'] ?? []) as readonly { readonly message: string }[];
  const rows = `${formatCount(train.rows)} training and ${formatCount(valid.rows)} validation rows together`;
  const own = await bitSections({ model, splits, cells }, { predictors: false });
  return reportPage({
    ...own,
    kind: mixture.title ?? `A mixture of ${what} of ${formatCount(model.dimensions)} dimensions`,
    lead: `${what}, each a forest for every dimension, on ${rows}${test === null ? '' : `, held against ${formatCount(test.rows)} test rows`}.`,
    headline: figuresOf(summary, model.dimensions),
    warnings: warningsSection({ warnings: warnings.map(({ message }) => message) }),
    samples: drawsOfModel(model, train),
    own: [membersSection(summary)],
    training: [tuningSection(summary.tuned)],
    run: settingsSection(mixture),
  });
}

function figuresOf({ members, judged }: MembersSummary, dimensions: number): string {
  const nats = members.at(-1)!.togetherLogLikelihood;
  const alone = members.reduce((sum, { heldOutLogLikelihood }) => sum + heldOutLogLikelihood, 0) / members.length;
  const caution = judged === 'test' ? '' : ' These rows have trained members: the figure is far too good.';
  return headline(
    [
      [formatNats(nats), `nats per ${judged} row`],
      [formatGain(nats - alone, 3), 'nats over one member, on average'],
      [formatCount(members.reduce((sum, { trees }) => sum + trees, 0)), 'trees in all'],
    ],
    `A ${judged} row has a log-likelihood of ${formatNats(nats)} nats, ${formatFigure((-nats * BITS_PER_NAT) / dimensions, 4)} bits a dimension.${caution}`,
  );
}

/** Every member, what it is worth alone, and what it adds to those before it. */
function membersSection({ members, judged, network }: MembersSummary): string {
  const heads = ['member', 'ordering', 'validated by', 'weight', 'trees', 'its fold', 'alone', 'together', 'adds'];
  const rows = members.map((own, at) => {
    const cells = [
      own.ordering,
      foldsOf(own),
      formatFigure(own.weight, 4),
      formatCount(own.trees),
      formatFigure(own.foldLogLikelihood, 4),
      formatFigure(own.heldOutLogLikelihood, 4),
      formatFigure(own.togetherLogLikelihood, 4),
      at === 0 ? '' : formatGain(own.togetherLogLikelihood - members[at - 1]!.togetherLogLikelihood, 4),
    ];
    return `<tr><th scope="row">${String(own.member)}</th>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
  });
  const judgedBy =
    judged === 'test'
      ? '<b>Alone</b> and <b>together</b> (with those before it, all of the same weight) are of the test rows, which have chosen nothing.'
      : '<b>Alone</b> and <b>together</b> (with those before it) are of the validation rows, since there are no test rows: all members but those of one fold were trained on each of them, so that these figures are far too good and only tell members apart.';
  const explained =
    `Mean log-likelihood in nats per row. Each member sees training and validation rows together but for a fold that chooses its rounds; <b>its fold</b> is what that fold gave it${network.refit === 'again' ? ', before it was trained again on all rows' : network.refit ? ', before the refit on all rows' : ''}, ${isChosenByDimension(network.selection) ? 'much too good, since each dimension chose for itself' : 'a little too good'}. ` +
    judgedBy;
  return section(
    'Members, and what each adds',
    explained,
    `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  );
}

function foldsOf({ folds }: MemberFigures): string {
  return folds.length === 1 ? `fold ${String(folds[0])}` : `${formatCount(folds.length)} folds, a network each`;
}

function settingsSection({ runId, specification, summary, sources }: FinishedMixture): string {
  const { selection, refit } = summary.network;
  const { settings } = describeSettings({ runId, specification, choice: { selection, refit }, sources, summary });
  const { orderings, folds, committee } = specification.members!;
  const entries: readonly (readonly [string, string])[] = [
    ['orderings in turn', orderings.join(', ')],
    ['folds', formatCount(folds)],
    ...(committee === true ? [['each member', 'a committee of a network for every fold'] as const] : []),
    ...settings.filter(([name]) => name !== 'ordering'),
  ];
  const list = entries.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  return section(
    'What was run, and on what',
    'The same data and the same settings give this page again, byte for byte, on any machine. More members can be asked of the same run: these stay as they are.',
    `<dl>${list}<dt>run</dt><dd class="hash">${escapeHtml(runId)}</dd></dl>`,
  );
}
