import { Inject, Injectable } from '@nestjs/common';
import { artefactNames } from '@orchard/pipeline';
import type { ModelComputation } from '../computations.js';
import type { Config } from '../config.js';
import { Port } from '../ports.js';
import { RequestThreads } from '../request-threads.js';

/** A question to a model, as it goes to a thread. */
export interface ModelQuestion {
  /** The model's name in the store. */
  readonly name: string;
  /** Of the files of the models that the thread keeps open. */
  readonly cacheBytes: number;
  /** The question in JSON as it came, which the thread parses; null without one. */
  readonly body: Uint8Array | null;
}

/** Asks the models of runs, each question on a thread of its own. */
@Injectable()
export class ModelQuestions {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(RequestThreads) private readonly threads: RequestThreads,
  ) {}

  /**
   * @param wanted which model of the run, by its name
   * @returns the answer in JSON
   * @throws StorageError `missing`; ModelError for bytes that are not a model; QuestionError; CoordinatorError where it
   *   is too large
   */
  ask(
    kind: ModelComputation,
    run: string,
    wanted: string,
    body: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    const cacheBytes = Math.max(1, Math.floor(this.config.networkCacheBytes / this.config.requestThreads));
    const question: ModelQuestion = { name: artefactNames.network(run, wanted), cacheBytes, body };
    return this.threads.call(kind, question, signal);
  }
}
