import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { JobQueues } from '@orchard/queue';
import type { RequestHandler } from 'express';

/** bull-board's pages over the queues, under this path. Tokens guard it as they guard everything. */
export function createBoard(queues: JobQueues, path: string): RequestHandler {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(path);
  createBullBoard({ queues: queues.boardQueues().map((queue) => new BullMQAdapter(queue)), serverAdapter: adapter });
  return adapter.getRouter() as RequestHandler;
}
