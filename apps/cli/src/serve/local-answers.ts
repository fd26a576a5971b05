import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { artefactNames, datasetFacts, judgingRows } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { askAlarms, askCheck, askCompare, askComplete, askImportance, askSample, askScore } from '@orchard/questions';
import type { DensityModel } from '@orchard/model';
import { presetNames } from '@orchard/contracts';
import { consequences, isRefusal } from '@orchard/refusal';
import type { LocalRun, LocalRuns } from './local-runs.js';

/** An answer of JSON, or bytes of a type. */
export type Answer =
  | { readonly json: unknown; readonly status?: number }
  | { readonly bytes: Uint8Array; readonly type: string; readonly name: string };

type Question<Asked = unknown> = (model: DensityModel, question: Asked) => unknown;

/** What a model is asked, by the last part of a path: with the bounds of a coordinator. */
const questions: Readonly<Record<string, Question>> = {
  score: askScore,
  sample: askSample,
  complete: askComplete,
  check: askCheck,
};
const files = {
  network: ['application/vnd.msgpack', 'msgpack', artefactNames.network],
  model: ['application/vnd.msgpack', 'msgpack', artefactNames.network],
  summary: ['application/json', 'json', artefactNames.summary],
  report: ['text/html; charset=utf-8', 'html', artefactNames.report],
} as const;

/** A question by the last part of its path; undefined where there is none such. */
function questionTo({ store }: LocalRun, part: string): Question | undefined {
  if (part !== 'alarms') return questions[part];
  return (model, question) => askAlarms(model, question, () => judgingRows(store, model));
}

export const noCluster = { runs: [], workers: [] } as const;

/** What a coordinator would answer about runs, of those of this machine: the same paths, the same documents. */
export class LocalAnswers {
  readonly #models = new Map<string, DensityModel>();

  constructor(readonly runs: LocalRuns) {}

  async to(method: string, path: string, body: () => Promise<unknown>): Promise<Answer> {
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
    if (method === 'GET' && what === 'networks' && part === 'importance') return this.#importance(run, rest[0] ?? '0');
    if (method === 'POST' && what === 'networks' && part === 'compare') {
      const other = all.get(rest[0] ?? '');
      if (other === undefined)
        return problem(404, `got with=${rest[0] ?? ''}, expected one of the runs of this machine.`);
      return this.#compare(run, other, await body());
    }
    const ask = what === 'networks' ? questionTo(run, part) : undefined;
    if (method === 'POST' && ask !== undefined) return this.#ask(run, ask, await body());
    return problem(405, 'Runs of this machine are shown and not changed: orchard train continues one.');
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

  async #model({ run, store, family, choice }: LocalRun): Promise<DensityModel> {
    const known = this.#models.get(run.id);
    if (known !== undefined) return known;
    const model = families.openModel(await store.get(artefactNames.network(run.id, family.wantedName(choice))));
    this.#models.set(run.id, model);
    return model;
  }

  async #ask<Asked>(run: LocalRun, ask: Question<Asked>, asked: Asked): Promise<Answer> {
    try {
      return { json: await ask(await this.#model(run), asked) };
    } catch (error) {
      if (isRefusal(error, 'missing')) return problem(409, 'The run has no model yet: wait until it is done.');
      if (!isRefusal(error) || consequences[error.code].http >= 500) throw error;
      return problem(consequences[error.code].http, error.message, error.code);
    }
  }

  #compare(run: LocalRun, other: LocalRun, asked: unknown): Promise<Answer> {
    return this.#ask(run, async (model, question) => askCompare(model, await this.#model(other), question), asked);
  }

  #importance(run: LocalRun, column: string): Promise<Answer> {
    const judged = async (model: DensityModel, asked: { readonly column: number }): Promise<unknown> =>
      askImportance(model, asked, await judgingRows(run.store, model));
    return this.#ask(run, judged, { column: Number(column) });
  }
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
