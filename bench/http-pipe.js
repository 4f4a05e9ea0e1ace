// The least that a reverse proxy can do: forward, with node:http alone.
import { Agent, createServer, request } from 'node:http';

const [, , upstream] = process.argv;
const agent = new Agent({ keepAlive: true });
const server = createServer((asked, answer) => {
  const far = request(upstream, { agent, method: asked.method, headers: asked.headers }, (response) => {
    answer.writeHead(response.statusCode, response.headers);
    // A stream may stay silent for long after its head.
    if (response.headers['content-type'] === 'text/event-stream') answer.flushHeaders();
    response.pipe(answer);
  });
  asked.pipe(far);
});
server.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${server.address().port}/mcp for`));
// So that a profile of it is written.
process.once('SIGTERM', () => process.exit());
