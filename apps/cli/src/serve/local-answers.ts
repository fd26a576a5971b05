import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { artefactNames, datasetFacts } from '@orchard/pipeline';
import { presetNames } from '@orchard/contracts';
import { consequences, isRefusal } from '@orchard/refusal';
import { isQuestion } from '../serve-computations.js';
import type { LocalRun, LocalRuns } from '../run-folder/local-runs.js';
import { QuestionThreads } from './question-threads.js';

/** An answer of JSON, its text where that is made already, or bytes of a type. */
export type Answer =
  | { readonly json: unknown; readonly status?: number }
  | { readonly text: Uint8Array }
  | { readonly bytes: Uint8Array; readonly type: string; readonly name: string };

const files = {
  network: ['application/vnd.msgpack', 'msgpack', artefactNames.network],
  model: ['application/vnd.msgpack', 'msgpack', artefactNames.network],
  summary: ['application/json', 'json', artefactNames.summary],
  report: ['text/html; charset=utf-8', 'html', artefactNames.report],
} as const;

export const noCluster = { runs: [], workers: [] } as const;

/** A request, as far as an answer asks. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** @throws Refusal for what is not JSON */
  readonly body: () => unknown;
  /** Aborted when its client has left. */
  readonly gone: AbortSignal;
}

/** What a coordinator would answer about runs, of those of this machine: the same paths, the same documents. */
export class LocalAnswers {
  readonly #threads: QuestionThreads;

  constructor(readonly runs: LocalRuns) {
    this.#threads = new QuestionThreads(runs);
  }

  async to({ method, path, body, gone }: Asked): Promise<Answer> {
    const parts = path.split('/').filter(Boolean).slice(1);
    const [what = '', id = '', part = '', ...rest] = parts;
    if (method === 'GET' && what === 'caller') return { json: caller };
    if (method === 'GET' && what === 'cluster') return { json: noCluster };
    if (method === 'GET' && what === 'runs' && id === '') return { json: { runs: await this.runs.list(), next: null } };
    const all = await this.runs.all();
    if (method === 'GET' && what === 'datasets') return this.#datasets([...all.values()], id);
    const run = all.get(id);
    if (run === undefined) return problem(404, `got ${path}, expected one of the runs of this machine.`);
    if (method === 'GET' && what === 'runs') return this.#ofRun(run, part, rest);
    if (method === 'GET' && what === 'networks' && part === 'importance')
      return this.#ask(run, null, part, () => ({ column: Number(rest[0] ?? '0') }), gone);
    if (method === 'POST' && what === 'networks' && part === 'compare') {
      const other = all.get(rest[0] ?? '');
      if (other === undefined)
        return problem(404, `got with=${rest[0] ?? ''}, expected one of the runs of this machine.`);
      return this.#ask(run, other, part, body, gone);
    }
    if (method === 'POST' && what === 'networks' && part !== 'importance' && isQuestion(part))
      return this.#ask(run, null, part, body, gone);
    return problem(405, 'Runs of this machine are shown and not changed: orchard train continues one.');
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #ofRun(run: LocalRun, part: string, rest: readonly string[]): Promise<Answer> {
    if (part === '') return { json: await this.runs.status(run) };
    if (part === 'likelihood') return { json: await this.runs.likelihood(run) };
    if (part === 'tasks' && rest.length === 0) return { json: await this.runs.grid(run) };
    if (part === 'tasks') {
      const task = await this.runs.task(run, rest.join('/'));
      return task === null ? problem(404, `got ${rest.join('/')}, expected a task of this run.`) : { json: task };
    }
    // no ticket is needed here
    if (part === 'links') return { json: { path: `/v1/runs/${run.run.id}/${rest[0] ?? ''}` } };
    return part in files ? this.#file(run, part as keyof typeof files) : problem(404, `A run has no ${part}.`);
  }

  async #file({ folder, run, store, family, choice }: LocalRun, file: keyof typeof files): Promise<Answer> {
    const [type, extension, nameOf] = files[file];
    const wanted = family.wantedName(choice);
    const name = `${run.id.slice(0, 12)}-${wanted}.${extension}`;
    // orchard train draws the report beside its store, with the title and the files that no run knows
    const drawn = file === 'report' ? await readFile(join(folder, 'report.html')).catch(() => null) : null;
    if (drawn !== null) return { bytes: drawn, type, name };
    try {
      return { bytes: await store.get(nameOf(run.id, wanted)), type, name };
    } catch (error) {
      if (!isRefusal(error, 'missing')) throw error;
      if (file === 'report')
        return { bytes: new TextEncoder().encode(await family.report(store, run, choice)), type, name };
      return problem(409, `The run has no ${file} yet: wait until it is done.`);
    }
  }

  async #datasets(runs: readonly LocalRun[], id: string): Promise<Answer> {
    if (id !== '') {
      const owner = runs.find(({ run: { specification } }) =>
        [specification.train, specification.valid, specification.test].includes(id),
      );
      if (owner === undefined) return problem(404, `got data set ${id}, expected one of a run of this machine.`);
      return { json: await datasetFacts(owner.store, id) };
    }
    const facts = runs.map(({ run: { datasets } }) => datasets.train);
    const known = new Map(
      facts.map(({ id: own, rows, dimensions, table }) => [
        own,
        { id: own, rows, dimensions, ...(table === undefined ? {} : { variables: table.variables.length }) },
      ]),
    );
    return { json: { datasets: [...known.values()], unreadable: [], next: null } };
  }

  /** @param other the run whose model it is compared with; null where it is asked alone */
  async #ask(
    run: LocalRun,
    other: LocalRun | null,
    kind: string,
    body: () => unknown,
    gone: AbortSignal,
  ): Promise<Answer> {
    try {
      const names = { name: modelOf(run), other: other === null ? null : modelOf(other) };
      return { text: await this.#threads.ask({ kind, ...names, asked: body() }, gone) };
    } catch (error) {
      if (isRefusal(error, 'missing')) return problem(409, 'The run has no model yet: wait until it is done.');
      if (!isRefusal(error) || consequences[error.code].http >= 500) throw error;
      return problem(consequences[error.code].http, error.message, error.code);
    }
  }
}

function modelOf({ run, family, choice }: LocalRun): string {
  return artefactNames.network(run.id, family.wantedName(choice));
}

const caller = {
  name: 'this machine',
  access: 'read',
  presets: [...presetNames],
  mostUploadBytes: 1,
  place: 'local',
};

export function problem(status: number, detail: string, code = `http-${String(status)}`): Answer {
  return { status, json: { type: 'about:blank', title: 'Refused', status, detail, code } };
}
