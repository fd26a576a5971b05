import type { OpenedModel, Question, Refused, Reply, RowScore, ScoredRows } from './messages.js';

export interface PageState {
  readonly model: OpenedModel | null;
  /** The file of {@link model}, to open it again after a stop. */
  readonly modelFile: File | null;
  readonly scored: ScoredRows | null;
  /** Rows in the order of the file, and the first of them, from 0. */
  readonly some: { readonly from: number; readonly rows: readonly RowScore[] } | null;
  /** The list of all rows, once it was asked for. */
  readonly list: Blob | null;
  /** What is waited for. */
  readonly busy: Question['ask'] | null;
  readonly progress: { readonly stage: 'scoring' | 'explaining'; readonly share: number } | null;
  readonly refused: Refused | null;
  /** Grows with each file that is scored. */
  readonly number: number;
}

export const initialState: PageState = {
  model: null,
  modelFile: null,
  scored: null,
  some: null,
  list: null,
  busy: null,
  progress: null,
  refused: null,
  number: 0,
};

/** What happens: a reply, a question that was put, or that the worker was stopped. */
type Event = Reply | { readonly reply: 'asked'; readonly question: Question } | { readonly reply: 'stopped' };

const nothingScored = { scored: null, some: null, list: null } as const;

export function next(state: PageState, event: Event): PageState {
  switch (event.reply) {
    case 'asked':
      return asked(state, event.question);
    case 'stopped':
      return { ...state, ...nothingScored, busy: null, progress: null };
    case 'progress':
      return { ...state, progress: { stage: event.stage, share: Math.min(1, event.share) } };
    case 'model':
      return { ...state, model: event.model, ...(state.busy === 'model' && { busy: null }) };
    case 'rows':
      return { ...state, scored: event.scored, number: state.number + 1, busy: null, progress: null };
    case 'some':
      return { ...state, some: { from: event.from, rows: event.some } };
    case 'list':
      return { ...state, list: event.csv, busy: null };
    case 'refused': {
      const without = event.of === 'model' ? { model: null, modelFile: null } : {};
      // of a model that is refused the rows are too, and the first reason is the one
      const refused = state.refused ?? event.refused;
      return { ...state, ...without, ...nothingScored, refused, busy: null, progress: null };
    }
  }
}

function asked(state: PageState, question: Question): PageState {
  if (question.ask === 'some') return state;
  if (question.ask === 'list') return { ...state, busy: 'list' };
  const modelFile = question.ask === 'model' ? question.file : state.modelFile;
  return { ...state, ...nothingScored, modelFile, busy: question.ask, progress: null, refused: null };
}
