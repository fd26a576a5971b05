import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../output/errors.js';
import { installedVersion } from '../output/version.js';
import { bounded } from './bounded.js';
import { Heartbeat } from './heartbeat.js';
import type { ModelResources } from './model-resources.js';
import type { Tools } from './tools.js';

/** Characters of JSON of one answer: what an assistant reads at once without losing sight of the rest. */
const MOST_CHARACTERS = 40_000;

/** One client's server: tools and resources, whatever the transport. */
export function createMcpServer(tools: Tools, resources: ModelResources): Server {
  const server = new Server(
    { name: 'orchard', title: 'Orchard', version: installedVersion },
    { capabilities: { tools: {}, resources: {} }, instructions: tools.instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.all }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const token = _meta?.progressToken;
    const heartbeat = new Heartbeat((progress) => {
      if (token === undefined) return;
      const sent = sendNotification({
        method: 'notifications/progress',
        params: { progressToken: token, ...progress },
      });
      // a client that has gone wants no progress
      sent.catch(() => undefined);
    });
    try {
      return resultOf(await tools.call(params.name, params.arguments ?? {}, { signal, heartbeat }));
    } catch (error) {
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    } finally {
      heartbeat.stop();
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => resources.list());
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: resources.templates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => ({
    contents: [await resources.read(params.uri, MOST_CHARACTERS, signal)],
  }));
  return server;
}

function resultOf(answer: string | Readonly<Record<string, unknown>>): CallToolResult {
  const { shown, cut } = bounded(answer, MOST_CHARACTERS);
  if (typeof shown === 'string') return { content: [{ type: 'text', text: shown }] };
  const said = {
    ...(shown as Record<string, unknown>),
    ...(cut.length === 0 ? {} : { cut: { ...whatToDo, parts: cut } }),
  };
  return { content: [{ type: 'text', text: JSON.stringify(said) }], structuredContent: said };
}

const whatToDo = {
  message: 'The answer was too long and is not whole. Ask for less, or have it written to a file (out, per-row).',
};
