#!/usr/bin/env node
/** `modern.js [stateless]`: the server of revision 2026-07-28, over HTTP; if asked, of older ones too, without sessions. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { modernServer } from '../../servers/modern-server.js';

const handler = createMcpHandler(modernServer, { legacy: process.argv[2] ?? 'reject' });

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
