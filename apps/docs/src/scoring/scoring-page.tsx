import { useEffect, useReducer, useRef } from 'preact/hooks';
import { FilePlace } from './file-place.js';
import type { Question } from './messages.js';
import { ModelFacts } from './model-facts.js';
import { initialState, next } from './page-state.js';
import { Result } from './result.js';
import { WorkerOfPage } from './worker-of-page.js';

/** Where the files of the page lie. */
export interface Places {
  /** The worker's script. */
  readonly worker: string;
  /** A model to try, and rows for it. */
  readonly model: string;
  readonly rows: string;
}

/** A model and a file of rows, and how likely its rows are. */
export function ScoringPage({ places }: { places: Places }) {
  const [state, dispatch] = useReducer(next, initialState);
  const worker = useRef<WorkerOfPage | null>(null);
  worker.current ??= new WorkerOfPage(places.worker, dispatch);
  const ask = (question: Question): void => {
    dispatch({ reply: 'asked', question });
    worker.current!.ask(question);
  };
  useEffect(() => {
    // at once, so that nothing is loaded later
    worker.current!.start();
    return () => worker.current!.stop();
  }, []);
  const { model, busy, progress, refused, scored } = state;
  const take = (files: readonly File[], as: 'model' | 'rows' | null): void => {
    for (const file of inOrder(files, as, model !== null)) ask(file);
  };
  const stop = (): void => {
    worker.current!.stop();
    dispatch({ reply: 'stopped' });
    if (state.modelFile !== null) ask({ ask: 'model', file: state.modelFile });
  };
  return (
    <div class="scoring">
      <div class="places">
        <FilePlace
          title="1. Model"
          words="network.msgpack, from the folder of a run"
          accept=".msgpack"
          onFiles={(files) => {
            take(files, files.length === 1 ? 'model' : null);
          }}
          sample={{
            words: 'Use a model of bike rentals',
            load: async () => {
              take([await fetched(places.model)], 'model');
            },
          }}
          name={model?.name ?? null}
        >
          {model !== null && <ModelFacts model={model} />}
        </FilePlace>
        <FilePlace
          title="2. Rows"
          words="CSV, TSV, JSON lines or libsvm with the same columns, plain or gzipped"
          accept=""
          isOff={model === null}
          onFiles={(files) => {
            take(files, files.length === 1 ? 'rows' : null);
          }}
          sample={
            model !== null && model.name === nameIn(places.model)
              ? {
                  words: 'Use new rentals',
                  load: async () => {
                    take([await fetched(places.rows)], 'rows');
                  },
                }
              : null
          }
          name={scored?.name ?? null}
        />
      </div>
      <div class="said" role="status" aria-live="polite">
        {busy !== null && (
          <p class="busy">
            {busyWords(busy, progress?.stage ?? null)} <progress value={progress?.share} />{' '}
            <button type="button" onClick={stop}>
              Stop
            </button>
          </p>
        )}
      </div>
      {refused !== null && (
        <div class="refused" role="alert">
          <p>{refused.problem}</p>
          <p>{refused.remedy}</p>
        </div>
      )}
      {scored !== null && <Result key={state.number} scored={scored} some={state.some} list={state.list} ask={ask} />}
    </div>
  );
}

/** Of two files that are dropped together, the model goes first. */
function inOrder(files: readonly File[], as: 'model' | 'rows' | null, hasModel: boolean): Question[] {
  if (as !== null) return files.map((file) => ({ ask: as, file }));
  const isModel = (file: File): boolean => /\.msgpack$/i.test(file.name);
  const models = files.filter(isModel).slice(0, 1);
  const rows = models.length > 0 || hasModel ? files.filter((file) => !isModel(file)).slice(0, 1) : [];
  return [
    ...models.map((file): Question => ({ ask: 'model', file })),
    ...rows.map((file): Question => ({ ask: 'rows', file })),
  ];
}

const nameIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** A file of the site, as if it had been chosen. */
async function fetched(url: string): Promise<File> {
  return new File([await (await fetch(url)).blob()], nameIn(url));
}

function busyWords(ask: Question['ask'], stage: 'scoring' | 'explaining' | null): string {
  if (ask === 'model') return 'Opening the model…';
  if (ask === 'list') return 'Writing the scores…';
  return stage === 'explaining' ? 'Finding the cells that make rows unusual…' : 'Scoring rows…';
}
