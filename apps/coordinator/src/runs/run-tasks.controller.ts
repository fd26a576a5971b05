import { Controller, Get, Inject, Param } from '@nestjs/common';
import {
  likelihoodSchema,
  sha256Schema,
  taskDetailSchema,
  taskGridSchema,
  type Likelihood,
  type TaskDetails,
  type TaskGrid,
} from '@orchard/contracts';
import { z } from 'zod';
import { ContractPipe } from '../http/contract-pipe.js';
import { Describe } from '../openapi/describe.js';
import { Port, type Ports } from '../ports.js';
import { runPathSchema, type RunPath } from './run-queries.js';

const taskPathSchema = z.strictObject({
  id: sha256Schema,
  kind: z
    .string()
    .regex(/^[a-z]{1,24}$/)
    .meta({ description: 'the kind of the task: train' }),
  key: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._=-]{0,150}$/)
    .meta({ description: 'its key: 17' }),
});
const path = new ContractPipe(runPathSchema, 'path');
const ofRun = { tag: 'runs', path: runPathSchema, problems: [404, 409] } as const;

/**
 * A run's tasks one by one, and what its held-out rows have come to: of the store, so of a run that ended last month
 * too.
 */
@Controller('v1/runs')
export class RunTasksController {
  constructor(@Inject(Port.tasks) private readonly tasks: Ports['tasks']) {}

  @Get(':id/tasks')
  @Describe({
    ...ofRun,
    summary: 'Where every task of a run is: stored, at work, waiting, failed',
    answers: { 200: taskGridSchema },
  })
  grid(@Param(path) { id }: RunPath): Promise<TaskGrid> {
    return this.tasks.grid(id);
  }

  @Get(':id/tasks/:kind/:key')
  @Describe({
    ...ofRun,
    summary: 'One task: its curves, its attempts, who has it',
    path: taskPathSchema,
    answers: { 200: taskDetailSchema },
  })
  task(
    @Param(new ContractPipe(taskPathSchema, 'path')) { id, kind, key }: z.infer<typeof taskPathSchema>,
  ): Promise<TaskDetails> {
    return this.tasks.task(id, `${kind}/${key}`);
  }

  @Get(':id/likelihood')
  @Describe({
    ...ofRun,
    summary:
      'The likelihood of held-out rows as the tasks of a run were stored; at most 512 more are read for one answer',
    answers: { 200: likelihoodSchema },
  })
  likelihood(@Param(path) { id }: RunPath): Promise<Likelihood> {
    return this.tasks.likelihood(id);
  }
}
