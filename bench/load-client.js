/** Clients on the official SDK that play a session again and again: `load-client.js URL CLIENTS CALLS MS`. Prints its answers and its CPU. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [, , url, clients, calls, time] = process.argv;
const end = performance.now() + Number(time);
let answers = 0;

async function playSessions() {
  while (performance.now() < end) {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    answers++;
    for (let n = 0; n < Number(calls); n++) {
      const { content } = await client.callTool({ name: 'echo', arguments: { n } });
      if (content[0].text !== `${n}`) throw new Error(`wrong: ${content[0].text}`);
      answers++;
    }
    await client.close();
  }
}

await Promise.all(Array.from({ length: Number(clients) }, playSessions));
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ answers, cpu: user + system }));
