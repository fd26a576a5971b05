import type { BaseSpecification, RunSheet, RunStatus, Wanted } from '@orchard/contracts';
import type { RunDatasets } from '@orchard/pipeline';
import type { RunLife, RunPage } from '@orchard/runs';
import type { Telemetry } from '@orchard/telemetry';

/** What people decide about runs, as steps in the traces of these runs. What they only look at is not part of them. */
export class TracedRunLife implements RunLife {
  constructor(
    private readonly life: RunLife,
    private readonly telemetry: Telemetry,
  ) {}

  async submit(
    specification: BaseSpecification,
    choice: Wanted,
    datasets?: RunDatasets,
    sheet?: RunSheet,
  ): ReturnType<RunLife['submit']> {
    const submit = (): ReturnType<RunLife['submit']> => this.life.submit(specification, choice, datasets, sheet);
    const submitted = await this.telemetry.step('submit run', submit);
    this.telemetry.concerns(submitted.id, submitted.created);
    return submitted;
  }

  cancel(id: string): Promise<void> {
    return this.#decide(id, 'cancel run', () => this.life.cancel(id));
  }

  resume(id: string): Promise<void> {
    return this.#decide(id, 'resume run', () => this.life.resume(id));
  }

  repair(id: string): ReturnType<RunLife['repair']> {
    return this.#decide(id, 'repair run', () => this.life.repair(id));
  }

  select(id: string, choice: Wanted): Promise<void> {
    return this.#decide(id, 'select of run', () => this.life.select(id, choice));
  }

  remove(id: string): Promise<void> {
    return this.#decide(id, 'remove run', () => this.life.remove(id));
  }

  status(id: string): Promise<RunStatus> {
    return this.life.status(id);
  }

  list(page?: RunPage): ReturnType<RunLife['list']> {
    return this.life.list(page);
  }

  events(id: string, signal?: AbortSignal): AsyncIterable<RunStatus> {
    return this.life.events(id, signal);
  }

  #decide<Result>(id: string, name: string, work: () => Promise<Result>): Promise<Result> {
    this.telemetry.concerns(id, false);
    return this.telemetry.step(name, work);
  }
}
