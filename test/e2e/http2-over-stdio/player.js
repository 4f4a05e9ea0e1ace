#!/usr/bin/env node
/** `player.js CASSETTE`: plays the recorded server over HTTP/2 on standard streams, with the player of HTTP as it is. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { loadCassette } from '../../../dist/cassette/read/load-cassette.js';
import { systemClock } from '../../../dist/kernel/clock.js';
import { httpCassettes } from '../../../dist/replay/http/http-cassette.js';
import { HttpMockHandler } from '../../../dist/replay/http/http-mock-handler.js';
import { sseText } from '../../../dist/transports/http/sse/sse-encoder.js';
import { endToEnd, serveStandardStreams } from './pipes.js';

const player = new HttpMockHandler({
  cassettes: httpCassettes(loadCassette(process.argv[2])),
  clock: systemClock,
  timing: 'instant',
  report: ({ kind, text: words }) => process.stderr.write(`${kind}: ${words}\n`),
  newSession: randomUUID,
});

async function serve(request, response) {
  const { method, url: target, headers } = request;
  const gone = player.serve(
    { method, target, headers: endToEnd(headers), body: await text(request) },
    {
      answer({ status, headers: fields = {}, body = '' }) {
        response.writeHead(status, endToEnd(fields));
        response.end(body);
      },
      stream: (fields) => response.writeHead(200, { ...endToEnd(fields), 'content-type': 'text/event-stream' }),
      event: (data, sse) => void response.write(sseText(data, sse)),
      begin: ({ status, headers: fields }) => response.writeHead(status, endToEnd(fields ?? {})),
      write: (data) => void response.write(data),
      end: () => void response.end(),
      abort: (how) =>
        response.stream.close(how === 'fin' ? constants.NGHTTP2_CANCEL : constants.NGHTTP2_INTERNAL_ERROR),
    },
  );
  response.once('close', () => {
    // `writableFinished` is true of a stream that was reset, too.
    if (!response.writableEnded) gone();
  });
}

serveStandardStreams({ request: serve }, () => player.end());
