import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { artefactNames } from '@orchard/pipeline';
import type { RunLife } from '@orchard/runs';
import type { Request } from 'express';
import type { ModelComputation } from '../computations.js';
import type { Config } from '../config.js';
import { JsonBodies } from '../http/json-body.js';
import { Port } from '../ports.js';
import { RequestThreads } from '../request-threads.js';
import { chosenModel } from '../runs/wanted.js';
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

/** A model of a run, by what a query says of it. */
export interface QueriedModel {
  readonly run: string;
  readonly wanted: Parameters<typeof chosenModel>[1];
}

/** Asks the models of runs, each question on a thread of its own, from the text of its body to that of its answer. */
@Injectable()
export class ModelQuestions {
  constructor(
    @Inject(Port.config) private readonly config: Config,
    @Inject(Port.life) private readonly life: RunLife,
    @Inject(JsonBodies) private readonly bodies: JsonBodies,
    @Inject(RequestThreads) private readonly threads: RequestThreads,
  ) {}

  /**
   * @param other the model that this one is compared with; null where it is asked alone
   * @param body the question in JSON, read where there are such models
   * @returns the answer in JSON
   * @throws StorageError `missing`; ModelError for bytes that are not a model; QuestionError; CoordinatorError where it
   *   is too large
   */
  async ask(
    kind: ModelComputation,
    request: Request,
    model: QueriedModel,
    other: QueriedModel | null = null,
    body = (): Promise<Uint8Array | null> | Uint8Array => this.bodies.text(request),
  ): Promise<StreamableFile> {
    const [name, compared] = await Promise.all([this.#nameOf(model), other === null ? undefined : this.#nameOf(other)]);
    const cacheBytes = Math.max(1, Math.floor(heldBytes(this.config.networkCacheBytes) / this.config.requestThreads));
    const question: ModelQuestion = { name, other: compared, cacheBytes, body: await body() };
    const answer = await this.threads.call<Uint8Array>(kind, question, request);
    return new StreamableFile(answer, { type: 'application/json; charset=utf-8' });
  }

  async #nameOf({ run, wanted }: QueriedModel): Promise<string> {
    return artefactNames.network(run, chosenModel(await this.life.status(run), wanted).name);
  }
}
