#!/usr/bin/env node
/**
 * The server that the official conformance suite asks for, at `/mcp`: revision 2026-07-28, and the ones before it with
 * sessions, whose streams can be resumed.
 */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { eventStore } from '../http/servers/event-store.js';
import { everythingAskedFor } from './features.js';
import { serveFetch } from './serve-fetch.js';

const modern = createMcpHandler(() => everythingAskedFor({ changed: modern.notify }), { legacy: 'reject' });

const sessions = new Map();

async function legacy(request) {
  const id = request.headers.get('mcp-session-id');
  const known = sessions.get(id);
  if (known) return known.handleRequest(request);
  if (id !== null) return new Response('There is no such session', { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: eventStore(),
    retryInterval: 100,
    onsessioninitialized: (opened) => void sessions.set(opened, transport),
    onsessionclosed: (closed) => void sessions.delete(closed),
  });
  await everythingAskedFor({}).connect(transport);
  return transport.handleRequest(request);
}

serveFetch(async (request) => {
  const refusal =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  if (refusal) return refusal;
  return (await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request);
});
