#!/usr/bin/env node
/**
 * `server.js [dies]`: the server of revision 2026-07-28, with HTTP/2 on its standard streams. If asked, it dies instead of
 * answering a call of the tool `fails`.
 */
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { modernServer } from '../servers/modern-server.js';
import { endToEnd, ORIGIN, serveStandardStreams } from './pipes.js';

const handler = createMcpHandler(modernServer, { legacy: 'reject' });

async function serve(request, response) {
  if (process.argv[2] === 'dies' && request.headers['mcp-name'] === 'fails') process.exit(3);
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method, url } = request;
  const answer = await handler.fetch(
    new Request(ORIGIN + url, {
      method,
      headers: endToEnd(request.headers),
      signal: abort.signal,
      ...(method === 'POST' && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  // The SDK sets `connection`, which HTTP/2 forbids.
  response.writeHead(answer.status, endToEnd(Object.fromEntries(answer.headers)));
  if (answer.body)
    Readable.fromWeb(answer.body)
      .on('error', () => response.stream.close())
      .pipe(response);
  else response.end();
}

serveStandardStreams({ request: serve });
