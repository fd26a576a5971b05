import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Config } from '../config.js';
import { Port } from '../ports.js';
import { StreamSlots } from '../runs/stream-slots.js';
import { answerOf } from './problem.js';
import { callerOf } from './rate-limit.js';
import { contextOf } from './request-context.js';

/** A comment now and then keeps proxies from closing a quiet stream. */
const HEARTBEAT_MILLISECONDS = 15_000;
/** Who has not taken an event in this time is not there any more. */
const DEAF_MILLISECONDS = 60_000;

/**
 * Sends server-sent events: each with an id, a sign of life between them, and as many streams at once as are allowed.
 */
@Injectable()
export class EventStreams {
  readonly #slots: StreamSlots;
  readonly #open = new Set<AbortController>();

  constructor(
    @Inject(Port.stopping) private readonly stopping: AbortSignal,
    @Inject(Port.config) { limits }: Config,
  ) {
    this.#slots = new StreamSlots(limits.streams);
    // one listener for all streams: hundreds on one signal look like a leak
    stopping.addEventListener('abort', () => {
      for (const gone of this.#open) gone.abort();
    });
  }

  /** Each event is sent when the one before is out; the stream ends with the events, or with its reader. */
  async send(
    events: (ending: AbortSignal) => AsyncGenerator<Buffer, void>,
    request: Request,
    response: Response,
  ): Promise<void> {
    const leave = this.#slots.enter(callerOf(request));
    const gone = new AbortController();
    const end = (): void => gone.abort();
    response.once('close', end);
    this.#open.add(gone);
    const { until } = contextOf(request).caller;
    // what a token opens is open for as long as it is good
    const expiry = until === undefined ? undefined : setTimeout(end, Math.min(2 ** 31 - 1, until - Date.now()));
    if (response.closed || this.stopping.aborted) end();
    try {
      await this.#send(events(gone.signal), request, response, gone.signal);
    } finally {
      this.#open.delete(gone);
      clearTimeout(expiry);
      response.off('close', end);
      leave();
    }
  }

  async #send(
    events: AsyncGenerator<Buffer, void>,
    request: Request,
    response: Response,
    ending: AbortSignal,
  ): Promise<void> {
    // what cannot be followed is to be answered with a problem, so the first event comes before the headers
    const first = await events.next();
    response.status(200).set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    response.flushHeaders();
    if (request.method === 'HEAD') {
      await events.return();
      response.end();
      return;
    }
    const heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': still here\n\n');
    }, HEARTBEAT_MILLISECONDS);
    try {
      let event = 0;
      for (let next = first; next.done !== true && !ending.aborted; next = await events.next()) {
        response.cork();
        response.write(`id: ${event++}\n`);
        response.write(next.value);
        response.uncork();
        // the next event is asked for when this one is out
        if (response.writableNeedDrain && !(await isDrained(response, ending))) response.destroy();
      }
    } catch (error) {
      const { problem } = answerOf(error, contextOf(request).id);
      response.write(`event: problem\ndata: ${JSON.stringify(problem)}\n\n`);
    } finally {
      clearInterval(heartbeat);
      await events.return();
      response.end();
    }
  }
}

/** False where the reader takes nothing for {@link DEAF_MILLISECONDS}. */
function isDrained(response: Response, ending: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (drained: boolean): void => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      ending.removeEventListener('abort', onDrain);
      resolve(drained);
    };
    const onDrain = (): void => settle(true);
    const timer = setTimeout(() => settle(false), DEAF_MILLISECONDS);
    response.once('drain', onDrain);
    ending.addEventListener('abort', onDrain);
  });
}
