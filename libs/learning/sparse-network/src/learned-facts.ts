import type { JsonValue } from '@orchard/model';

/** What is asked of networks that go from column to column. */
export const sequentialAnswers = [
  'answers',
  'exactly: likelihoods, samples, completions where the first columns are known; others by particles',
] as const;

/** What a model's specification says of its λ and its grid, for people; nothing where it says nothing. */
export function learnedFacts(specification: JsonValue): readonly (readonly [string, string])[] {
  const { penalty, chosen, neighbours } = (specification ?? {}) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(penalty) || typeof chosen !== 'number') return [];
  const tried = penalty.map(Number);
  const facts: (readonly [string, string])[] = [
    ['penalty', `λ ${String(chosen)} for all columns, ${placeOf(tried, chosen)}`],
  ];
  if (typeof neighbours === 'number')
    facts.push(['neighbours', `each pixel by those before it, at most ${String(neighbours)} rows and columns away`]);
  return facts;
}

/** @param tried descending */
function placeOf(tried: readonly number[], chosen: number): string {
  if (tried.length === 1) return 'no other was tried';
  const [largest, smallest] = [tried[0]!, tried.at(-1)!];
  const among = `the validation rows' choice of ${String(tried.length)} from ${String(largest)} to ${String(smallest)}`;
  if (chosen === smallest) return `${among}: the smallest, so that a smaller one may be better (--penalty)`;
  if (chosen === largest) return `${among}: the largest, so that a larger one may be better (--penalty)`;
  return among;
}
