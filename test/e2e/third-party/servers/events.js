#!/usr/bin/env node
/**
 * `events.js [both|sketch|extension]`: a server of the Events extension, written from the design sketch of its working group, because
 * no SDK has one. It declares the capability of the sketch, that of SEP-3415, or both, as servers in the field do. It serves on stdio,
 * or over HTTP at the port `PORT`. Nothing is posted to a webhook.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createMcpHandler, fromJsonSchema, McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serveFetch } from '../../conformance/serve-fetch.js';

const EXTENSION = { extensions: { 'io.modelcontextprotocol/events': {} } };
const CAPABILITIES = { sketch: { events: {} }, extension: EXTENSION, both: { events: {}, ...EXTENSION } };
const declared = CAPABILITIES[process.argv[2] ?? 'both'];

const INVALID_PARAMS = -32602;
const NOT_FOUND = -32011;
const TTL_MS = 3_600_000;

const params = fromJsonSchema({ type: 'object' });
const service = { type: 'object', properties: { service: { type: 'string' } } };
const types = ['incident.created', 'incident.closed'].map((name) => ({
  name,
  description: `Says that there is an ${name.replace('.', ' ')}`,
  delivery: ['poll', 'webhook'],
  inputSchema: service,
  payloadSchema: service,
}));

/** Positions are of this process only, as those of a server whose log is in memory. */
const log = randomUUID();
const happened = [];
const subscriptions = new Map();

function checked({ name, arguments: args = {} }) {
  if (!types.some((type) => type.name === name)) throw new ProtocolError(NOT_FOUND, 'NotFound', { kind: 'event' });
  if (args.service !== undefined && typeof args.service !== 'string')
    throw new ProtocolError(INVALID_PARAMS, 'InvalidParams: service is a string');
  return { name, args };
}

const handlers = {
  'events/list': ({ cursor }) =>
    cursor == null ? { events: types.slice(0, 1), nextCursor: 'page-2' } : { events: types.slice(1) },
  'events/poll'({ cursor, ...asked }) {
    const { name, args } = checked(asked);
    const from = cursor == null ? happened.length : Number(cursor.replace(`${log}:`, ''));
    const events = happened
      .slice(from)
      .filter((event) => event.name === name && (args.service ?? event.data.service) === event.data.service);
    return { events, cursor: `${log}:${happened.length}`, truncated: false, hasMore: false, nextPollMs: 1000 };
  },
  'events/subscribe'({ delivery, ...asked }) {
    const { name, args } = checked(asked);
    const secret = /^whsec_([\w+/]+=*)$/.exec(delivery.secret)?.[1];
    const { length } = Buffer.from(secret ?? '', 'base64');
    if (length < 24 || length > 64) throw new ProtocolError(INVALID_PARAMS, 'InvalidParams: delivery.secret');
    const key = JSON.stringify([delivery.url, name, args]);
    const id = `sub_${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
    subscriptions.set(key, id);
    const refreshBefore = new Date(Date.now() + TTL_MS).toISOString();
    return { id, refreshBefore, cursor: `${log}:${happened.length}`, truncated: false };
  },
  'events/unsubscribe'({ delivery, ...asked }) {
    const { name, args } = checked(asked);
    if (!subscriptions.delete(JSON.stringify([delivery.url, name, args])))
      throw new ProtocolError(NOT_FOUND, 'NotFound', { kind: 'subscription' });
    return {};
  },
};

function server() {
  const mcp = new McpServer({ name: 'events', version: '1.0.0' });
  mcp.server.registerCapabilities(declared);
  mcp.registerTool('break', { inputSchema: fromJsonSchema(service) }, ({ service }) => {
    const name = 'incident.created';
    happened.push({ eventId: randomUUID(), name, timestamp: new Date().toISOString(), data: { service } });
    return { content: [{ type: 'text', text: `${service} is broken` }] };
  });
  for (const [method, handle] of Object.entries(handlers))
    mcp.server.setRequestHandler(method, { params }, (asked) => handle(asked ?? {}));
  return mcp;
}

if (process.env.PORT === undefined) serveStdio(server);
else {
  const handler = createMcpHandler(server, { legacy: 'stateless' });
  serveFetch((request) => handler.fetch(request));
}
