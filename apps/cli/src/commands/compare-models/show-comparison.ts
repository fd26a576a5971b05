import type { Answers } from '@orchard/model';
import { BITS_PER_NAT, bytes, counted, duration, nats, table } from '../../output/figures.js';
import { markdownRow } from '../../output/markdown-row.js';
import type { Candidate, RankedModel } from '@orchard/analysis';

/** What a comparison came to, for people. */
export interface Comparison {
  /** The likeliest first. */
  readonly judged: readonly RankedModel[];
  readonly rows: { readonly train: number; readonly valid: number; readonly test: number };
  /** Most that each model was trained on by this call. */
  readonly threads: number;
  /** What else has to be known of the figures. */
  readonly remarks: readonly string[];
}

const heads = ['model', 'test nats', '±', 'to the best', '±', 'bits', 'time', 'file'];

/** The models in a table, and below it what the figures are. */
export function comparisonText(comparison: Comparison): string {
  const { judged } = comparison;
  const width = Math.max(...judged.map(({ candidate: { name } }) => name.length));
  const parts = [
    table(
      heads,
      judged.map((one) => [one.candidate.name, ...figuresOf(one)]),
    ),
    judged
      .map(({ candidate }) => `${candidate.name.padEnd(width)}  ${answersIn(candidate.answers)}; ${madeOf(candidate)}`)
      .join('\n'),
    remarksOf(comparison).join('\n'),
  ];
  return parts.join('\n\n');
}

/** The same for a page. */
export function comparisonMarkdown(comparison: Comparison): string {
  const rows = comparison.judged.map((one) => [
    one.candidate.name,
    ...figuresOf(one),
    answersIn(one.candidate.answers),
    madeOf(one.candidate),
  ]);
  return [
    markdownRow([...heads, 'exactly', 'made of']),
    markdownRow(['---', ...heads.slice(1).map(() => '---:'), '---', '---']),
    ...rows.map(markdownRow),
    '',
    ...remarksOf(comparison).map((remark) => `- ${remark}`),
  ].join('\n');
}

function figuresOf({
  candidate,
  mean,
  standardError,
  difference,
  differenceError,
  isWithinNoise,
}: RankedModel): string[] {
  const isBest = differenceError === null && difference === 0;
  return [
    `${candidate.isBound === true ? '>= ' : ''}${nats(mean)}`,
    standardError === null ? '-' : nats(standardError),
    isBest ? 'best' : `${isWithinNoise ? '~ ' : ''}${nats(difference)}`,
    differenceError === null ? '' : nats(differenceError),
    nats(-mean * BITS_PER_NAT),
    `${candidate.isWholeTime ? '' : '> '}${duration(candidate.seconds)}`,
    bytes(candidate.bytes),
  ];
}

function answersIn({ conditionals, mostProbable }: Answers): string {
  const also = mostProbable === 'exact' ? ['most probable rows'] : [];
  if (conditionals === 'exact') return ['any conditional', ...also].join(', ');
  return [...also, conditionals === 'none' ? 'no conditionals' : 'conditionals by drawing'].join(', ');
}

function madeOf({ facts, isExperimental }: Candidate): string {
  const [name, words] = facts[0] ?? ['', ''];
  const made = name === 'model' ? words : `${name} ${words}`;
  return isExperimental === true ? `${made}; experimental` : made;
}

function remarksOf({ judged, rows, threads, remarks }: Comparison): string[] {
  const [best] = judged as [RankedModel];
  const tied = judged.filter(({ isWithinNoise }) => isWithinNoise);
  const candidates = judged.map(({ candidate }) => candidate);
  const among =
    judged.length > 1
      ? `; the best was picked by them from ${String(judged.length)}, so it may be a little worse on others`
      : '';
  return [
    `Mean nats per row of ${counted(rows.test, 'test row')}, by which no model was trained or set${among}. Nearer to 0 is better; ± is one standard error, of differences paired row by row.`,
    `${counted(rows.train, 'row')} trained; ${counted(rows.valid, 'row')} validated, which chose what each model leaves open (rounds, components, …).`,
    ...(judged.length > 1 && tied.length > 1 ? [noiseIn(best, tied)] : []),
    candidates.some(({ isBound }) => isBound)
      ? `>= is a lower bound: the likelihood of that model is higher, by how much depends on the model and is not known, and its place in the table may be too low. All other likelihoods, and draws of whole rows, are exact; what else is exact stands beside each.`
      : `Likelihoods, and samples of whole rows, are exact by all; what else is exact stands beside each.`,
    `Each was trained alone, one after the other, on ${counted(threads, 'thread')} at most; the time is without reading the rows and drawing reports.`,
    ...(candidates.some(({ isExperimental }) => isExperimental)
      ? [
          'Experimental kinds of model are here for their papers: on most sets measured so far another one was likelier, with as many exact answers, in no more time.',
        ]
      : []),
    ...(candidates.some(({ isWholeTime }) => !isWholeTime)
      ? ['> is of models that were partly there before, or whose training was killed: it took longer than that.']
      : []),
    ...(candidates.some((one) => one.threads.some((number) => number !== threads))
      ? [
          `Trained before on other threads: ${candidates
            .filter((one) => one.threads.some((number) => number !== threads))
            .map((one) => `${one.name} (${one.threads.join(', ')})`)
            .join(', ')}.`,
        ]
      : []),
    ...remarks,
  ];
}

/** Among models whose likelihoods do not differ, the cheaper wins. */
function noiseIn(best: RankedModel, tied: readonly RankedModel[]): string {
  const least = (of: (one: Candidate) => number): string =>
    tied.map(({ candidate }) => candidate).reduce((least, one) => (of(one) < of(least) ? one : least)).name;
  const [quickest, smallest] = [least(({ seconds }) => seconds), least(({ bytes: size }) => size)];
  const names = tied.filter((one) => one !== best).map(({ candidate }) => candidate.name);
  const price =
    quickest === smallest
      ? `${quickest} took the least time and room`
      : `${quickest} took the least time, ${smallest} the least room`;
  return `~ is within two standard errors of the best: these rows do not tell ${names.join(', ')} from ${best.candidate.name}. Of these ${price}.`;
}
