import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  readonly service: string;
  readonly instance: string;
  readonly name: string;
  readonly trace: string;
  readonly id: string;
  /** Null where it is the first of its trace. */
  readonly parent: string | null;
  /** OTLP's numbers: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly begin: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** Traces that it links to. */
  readonly links: readonly string[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: readonly Attribute[];
        readonly status?: { readonly code?: number };
        readonly links?: readonly { readonly traceId: string }[];
      }[];
    }[];
  }[];
}

/** The collector's end of OTLP over HTTP, for its JSON: keeps what it is sent. */
export interface Receiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8');
      if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') {
        response.writeHead(415).end();
        return;
      }
      spans.push(...spansOf(JSON.parse(text) as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const { 'service.name': service, 'service.instance.id': instance } = attributesOf(resource.attributes);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map((span) => ({
        service: String(service),
        instance: String(instance),
        name: span.name,
        trace: span.traceId,
        id: span.spanId,
        parent: span.parentSpanId ?? null,
        kind: span.kind,
        begin: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: attributesOf(span.attributes),
        failed: span.status?.code === 2,
        links: (span.links ?? []).map(({ traceId }) => traceId),
      }));
  });
}

function attributesOf(list: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
