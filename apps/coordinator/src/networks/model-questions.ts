import { Inject, Injectable } from '@nestjs/common';
import { artefactNames } from '@orchard/pipeline';
import type { ModelComputation } from '../computations.js';
import type { Config } from '../config.js';
import { Port } from '../ports.js';
import { RequestThreads } from '../request-threads.js';
import { heldBytes } from './held-bytes.js';

/** A question to a model, as it goes to a thread. */
export interface ModelQuestion {
  /** The model's name in the store. */
  readonly name: string;
  /** The name of the model that it is compared with. */
  readonly other?: string | undefined;
  /** Of the files of the models that the thread keeps open. */
  readonly cacheBytes: number;
  /** The question in JSON as it came, which the thread parses; null without one. */
  readonly body: Uint8Array | null;
}

/** A model of a run. */
export interface AskedModel {
  readonly run: string;
  /** Which of the run's models, by its name. */
  readonly wanted: string;
}

/** Asks the models of runs, each question on a thread of its own. */
@Injectable()
export class ModelQuestions {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(RequestThreads) private readonly threads: RequestThreads,
  ) {}

  /**
   * @param other the model that this one is compared with; null where it is asked alone
   * @returns the answer in JSON
   * @throws StorageError `missing`; ModelError for bytes that are not a model; QuestionError; CoordinatorError where it
   *   is too large
   */
  ask(
    kind: ModelComputation,
    model: AskedModel,
    body: Uint8Array | null,
    signal: AbortSignal,
    other: AskedModel | null = null,
  ): Promise<Uint8Array> {
    const cacheBytes = Math.max(1, Math.floor(heldBytes(this.config.networkCacheBytes) / this.config.requestThreads));
    const nameOf = ({ run, wanted }: AskedModel): string => artefactNames.network(run, wanted);
    const compared = other === null ? undefined : nameOf(other);
    const question: ModelQuestion = { name: nameOf(model), other: compared, cacheBytes, body };
    return this.threads.call(kind, question, signal);
  }
}
