#!/usr/bin/env node
/**
 * `recorder.js FILE COMMAND ARG…`: stands between a client and a server that speak HTTP/2 over standard streams, and
 * records with the recorder of HTTP as it is. Each stream of HTTP/2 is one exchange.
 */
import { constants } from 'node:http2';
import { CassetteFile } from '../../../dist/cassette/write/cassette-file.js';
import { systemClock } from '../../../dist/kernel/clock.js';
import { HttpRecorder } from '../../../dist/record/http/http-traffic-recorder.js';
import { parseUpstream } from '../../../dist/transports/http/upstream/parse-upstream.js';
import { endToEnd, ORIGIN, serveStandardStreams, startServer } from './pipes.js';

const [file, ...command] = process.argv.slice(2);
const recorder = new HttpRecorder({
  open: () => new CassetteFile(file),
  clock: systemClock,
  gap: 'none',
  redactor: undefined,
  upstream: parseUpstream(`${ORIGIN}/mcp`),
  idleMax: Number.POSITIVE_INFINITY,
  holdBytesMax: 1024 * 1024,
  cut: (from) => process.stderr.write(`cut: ${from}\n`),
  failed: (error) => process.stderr.write(`${error.stack}\n`),
  finished: () => {},
});
const { child, session } = startServer(command);

/** Fields as HTTP/1.1 has them: names and values in turn. */
const rawHeaders = (headers) => Object.entries(endToEnd(headers)).flatMap(([name, value]) => [name, String(value)]);

/** Passes one stream on, and tells the recorder of it as the proxies of HTTP/1.1 do. */
function forward(near, head) {
  const record = recorder.exchange();
  const tap = (piece) => record({ at: systemClock.now(), ...piece });
  const far = session.request({ ...endToEnd(head), ':method': head[':method'], ':path': head[':path'] });
  let isOver = false;
  const pass = (from, source, target) => {
    source.on('data', (data) => {
      if (!target.write(data)) source.pause();
      tap({ kind: 'data', from, data });
    });
    target.on('drain', () => source.resume());
    source.once('end', () => {
      // A reset ends a stream, too.
      if (source.rstCode !== constants.NGHTTP2_NO_ERROR || source.aborted) return;
      target.end();
      isOver ||= from === 'server';
      tap({ kind: 'end', from });
    });
  };
  /** A stream that closes before the response has ended was lost, or the connection was. */
  const watch = (from, source, target) => {
    source.on('error', () => {});
    source.once('close', () => {
      if (isOver) return;
      isOver = true;
      const code = source.rstCode || constants.NGHTTP2_INTERNAL_ERROR;
      target.close(code);
      // Over HTTP/1.1, a client cancels by closing its connection.
      tap({ kind: 'gone', from, how: code === constants.NGHTTP2_CANCEL ? 'fin' : 'rst' });
    });
  };
  tap({ kind: 'request', method: head[':method'], path: head[':path'], headers: rawHeaders(head) });
  watch('client', near, far);
  watch('server', far, near);
  pass('client', near, far);
  far.once('response', ({ ':status': status, ...headers }) => {
    near.respond({ ':status': status, ...endToEnd(headers) });
    tap({ kind: 'response', status, headers: rawHeaders(headers) });
    // Not before: Node delivers data ahead of the head to a listener that is there by then.
    pass('server', far, near);
  });
}

serveStandardStreams({ stream: forward }, () => session.close(() => child.stdin.end()));

child.once('exit', (status) => {
  recorder.end('complete');
  process.exit(status ?? 1);
});
