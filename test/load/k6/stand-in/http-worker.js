// Makes the HTTP requests of the stand-in for k6, whose script waits meanwhile.
import { Agent, request } from 'node:http';
import { workerData } from 'node:worker_threads';

const { flag, port } = workerData;
const agent = new Agent({ keepAlive: true });

port.on('message', ({ method, url, body, headers, timeout }) => {
  const began = performance.now();
  let isDone = false;
  const done = (response) => {
    if (isDone) return;
    isDone = true;
    port.postMessage({ ...response, timings: { duration: performance.now() - began } });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const failed = (error) => done({ status: 0, body: null, headers: {}, error: error.message, error_code: 1000 });
  const sent = request(url, { method, headers, agent, signal: AbortSignal.timeout(timeout) }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('error', failed);
    response.on('end', () => {
      // Go writes the names of headers so.
      const canonical = Object.entries(response.headers).map(([name, value]) => [
        name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
        String(value),
      ]);
      const text = Buffer.concat(chunks).toString();
      done({
        status: response.statusCode,
        body: text,
        headers: Object.fromEntries(canonical),
        error: '',
        error_code: 0,
      });
    });
  });
  sent.on('error', failed);
  sent.end(body ?? undefined);
});
