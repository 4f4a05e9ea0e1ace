// `payload-server.js [--http]`: answers each call with a text of the kind and size that it asks for, to the letter as the SDK's servers do.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { ANSWER_BEGIN, answerEnd, eventOf, notificationOf } from './payloads/sdk-messages.js';
import { jsonText } from './payloads/texts.js';

const answerTo = (id, { kind, bytes, n }) => ANSWER_BEGIN + jsonText(kind, bytes, n) + answerEnd(id);

if (process.argv[2] === '--http') overHttp();
else
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, params } = JSON.parse(line);
    process.stdout.write(`${answerTo(id, params.arguments)}\n`);
  });

/** With `events` in its arguments, so many notifications go before an answer, which is an event as well; `as: 'json'` asks for a body. */
function overHttp() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, params } = JSON.parse(body);
    const { kind, bytes, as, events = 0, withIds } = params.arguments;
    const answer = answerTo(id, params.arguments);
    if (as === 'json') return response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' });
    for (let n = 0; n < events; n++) {
      const event = eventOf(notificationOf(jsonText(kind, bytes, n)), withIds ? `stream_${n}` : undefined);
      if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
    }
    return response.end(eventOf(answer, withIds ? 'stream_end' : undefined));
  });
  server.listen(0, '127.0.0.1', () => console.error(`listening on http://127.0.0.1:${server.address().port}/mcp for`));
}
