#!/usr/bin/env node
/**
 * `modern.js [stateless|sessions]`: the server of revision 2026-07-28, over HTTP; if asked, of older ones too, without
 * sessions; or of older ones alone, with sessions.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { modernServer } from '../../servers/modern-server.js';

const [, , form = 'reject'] = process.argv;
const handler = form === 'sessions' ? inSessions() : createMcpHandler(modernServer, { legacy: form });

function inSessions() {
  const sessions = new Map();
  return {
    async fetch(request) {
      const known = sessions.get(request.headers.get('mcp-session-id'));
      if (known) return await known.handleRequest(request);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await modernServer().connect(transport);
      return await transport.handleRequest(request);
    },
  };
}

createServer(async (request, response) => {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method, url, headers } = request;
  const hasBody = method === 'POST';
  const answer = await handler.fetch(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers,
      signal: abort.signal,
      ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body)
    Readable.fromWeb(answer.body)
      .on('error', () => response.destroy())
      .pipe(response);
  else response.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
