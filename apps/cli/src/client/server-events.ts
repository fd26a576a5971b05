import { createParser } from 'eventsource-parser';

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a stream as they come, whichever line ends it has; comments and blocks without data are none. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void> {
  if (response.body === null) return;
  const events: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => {
      events.push({ event, data });
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}
