import { createServer } from 'node:http';
import { Readable } from 'node:stream';

/** Serves `handle`, which takes a `Request` and gives a `Response`, on the port that `PORT` says. */
export function serveFetch(handle) {
  createServer(async (incoming, outgoing) => {
    const abort = new AbortController();
    outgoing.once('close', () => abort.abort());
    const { method, url, headers } = incoming;
    const body = method === 'POST' && { body: Readable.toWeb(incoming), duplex: 'half' };
    const request = new Request(`http://127.0.0.1${url}`, { method, headers, signal: abort.signal, ...body });
    const response = await handle(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    if (!response.body) return outgoing.end();
    Readable.fromWeb(response.body)
      .on('error', () => outgoing.destroy())
      .pipe(outgoing);
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
