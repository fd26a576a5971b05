import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { JobQueues } from '@orchard/queue';
import type { RequestHandler } from 'express';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** bull-board's pages over the queues, under this path. Tokens guard it as they guard everything. */
export function createBoard(queues: JobQueues, path: string): RequestHandler {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(path);
  createBullBoard({
    queues: queues.boardQueues().map((queue) => new BullMQAdapter(queue)),
    serverAdapter: adapter,
    // the pages' files; asked for by itself the package looks beside its own code, which is in our bundle
    options: { uiBasePath: dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')) },
  });
  return adapter.getRouter() as RequestHandler;
}
