import { expect, it } from 'vitest';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Param } from '../../src/faults/rules/fault-params.ts';

const HEAD = `# Faults

What a mock server or a proxy can do wrong on purpose, over stdio and over HTTP. This page is made from the code: \`npx vitest run test/faults/page -u\`.

\`\`\`console
$ mcp-record replay --fault 'cut:tools/call' cassette.yaml
$ mcp-record replay --faults faults.yaml cassette.yaml
$ mcp-record proxy --fault 'latency::delay=200' -- node server.js
$ mcp-record replay --http --fault 'reset:tools/call' cassette.yaml
$ mcp-record proxy --http http://127.0.0.1:3000/mcp --fault 'http-status:tools/call:status=503,times=1'
\`\`\`

\`\`\`yaml
seed: 7                       # the same seed, the same faults
faults:
  - do: latency
    delay: 200
    when: { method: tools/call, tool: search, nth: 2 }
  - do: drop
    when: { kind: notification }
    probability: 0.3
\`\`\`

In short: \`fault\`, \`fault:method\`, or \`fault:method:name=value,name=value\`. A rule in a test is an object such as those of the file, a text
in short, or made by a function of \`mcp-record/faults\`.

## Test a retry

A fault makes the first call fail; the client makes it again, and gets the recorded answer. \`mcp\` is the fixture of [vitest](vitest.md):

\`\`\`ts
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { errorReply } from 'mcp-record/faults';
import { cassette } from 'mcp-record/mock';
import { test } from 'mcp-record/vitest';
import { expect } from 'vitest';

const recorded = cassette().calls('weather', { city: 'Oslo' }).returns('sunny'); // or the path of a cassette

test('a call that fails is made again', async ({ mcp }) => {
  const { transport } = await mcp.server(recorded, { faults: [errorReply({ on: 'tools/call', nth: 1 })] });
  const client = new Client({ name: 'my-client', version: '1.0.0' });
  await client.connect(transport);

  const call = () => client.callTool({ name: 'weather', arguments: { city: 'Oslo' } });
  const { content } = await call().catch(call); // in place of your code that retries

  expect(content).toEqual([{ type: 'text', text: 'sunny' }]);
  expect(mcp.journal.requests('tools/call')).toHaveLength(2);
});
\`\`\`

A fault that never happens fails the test. Over HTTP the connection can break, and over stdio the process can be killed, which your client then starts again:

\`\`\`ts
import { cut } from 'mcp-record/faults';

const { url } = await mcp.server('cassettes/weather.yaml', { over: 'http', faults: [cut({ on: 'tools/call', nth: 1 })] });
const { command, args } = await mcp.server('cassettes/weather.yaml', { over: 'stdio', faults: [cut({ on: 'tools/call', nth: 1 })] });
\`\`\`

- Each fault of [the table](#the-table) is a function of \`mcp-record/faults\`: \`error-reply\` is \`errorReply({ on, nth, when, times, probability, … })\`, with
  its parameters.
- A call into whose exchange a fault was injected may be made once more, though a recorded call is used once: see [matching](matching.md#which-recorded-request).
- A process that was killed leaves recorded requests unused. \`mcp.server\` only reports these under faults; give \`mockServer\` of other runners \`onUnused: 'report'\`.

## When

A rule without \`when\` is about every message of the server, unless the table says otherwise. All that is there must hold:

| key | the message |
|---|---|
| \`from\` | is from \`client\` or \`server\` (default) |
| \`kind\` | is a \`request\`, \`response\` or \`notification\`. Beside messages: \`end\`, the end of input, signals, and an HTTP connection that is left or lost; \`open\`, an HTTP request without a message; \`authorization\`, a request of an [authorization flow](auth.md), or the body of its answer; \`start\`, before anything is said |
| \`method\` | has this method, or answers a request that had it; \`oauth/token\` and [others](auth.md#what-goes-wrong) are those of an authorization flow |
| \`tool\`, \`prompt\`, \`resource\` | is, answers or reports on a request that names it |
| \`at\` | has these values at these JSON Pointers: \`{ /params/name: search }\` |
| \`stream\` | came on this HTTP exchange |
| \`nth\` | is the n-th that all the above hold for |
| \`after\` | comes after so many messages of its side |

What no message can be is refused with the rule, as \`{ tool: search, method: tools/list }\`.

\`times\` limits how often a rule fires, \`probability\` (0 to 1) makes it chance; each rule draws from a sequence of its own. Rules
meet a message in the order of the file, each as the one before left it. Every rule that fires is said on standard error, and
so is each that never did, which is exit status 1 under \`--strict-faults\`. The same seed gives the same faults on the same messages, and
the same bytes, where these arrive in the same order; how entries of several rules interleave in the journal is up to the clock.

### What is counted

\`nth\`, \`times\` and the sequence of \`probability\` count matches since the start of the mock server, or since the last \`misbehave\`, \`mcp.faults\` or \`reset\`:

| mock server | counted are the matches of |
|---|---|
| in memory | its session |
| over HTTP | all connections and clients |
| over stdio, by \`mockServer\` or \`mcp.server\` | all processes that clients start as this server, also those that run at once |
| \`replay\` and \`proxy\` on the command line | the process, and over HTTP all of its connections |

So \`nth: 1\` or \`times: 1\` makes a server over stdio die once, and the client that starts it again gets its answer. \`after\`
counts the messages of one process over stdio, and those of all connections over HTTP. \`down\` without \`times\` is about every process.

## Over HTTP

A rule counts over all streams, in the order in which their messages arrive; what its fault holds or ends is one stream. A message
may be the body of an answer or an event of a stream: the head of a body leaves with its first byte, that of a stream at once. So a
held answer is no head yet, or a silent stream. An answer that becomes more than one message, as with \`duplicate\`, leaves as a stream.

| | what a client is told of the connection | \`fetch\` |
|---|---|---|
| \`end\` | the body or stream is complete, and the answer was not in it | nothing |
| \`truncate\` | the body is shorter than announced, or the stream ends inside an event | \`UND_ERR_SOCKET\`, or nothing |
| \`cut\` | it ends inside the answer (FIN) | \`UND_ERR_SOCKET\` |
| \`reset\` | it breaks (RST) | \`ECONNRESET\` |
| \`corrupt\`, kind \`framing\` | it does not speak HTTP | \`HTTPParserError\` |
| \`down\` | there is nobody | \`ECONNREFUSED\` |

## The table
`;

function cell(name: string, param: Param<unknown>): string {
  const { fallback: value } = param;
  const none = value === undefined || typeof value === 'object';
  const word = none ? 'none' : String(value).replace('Infinity', 'forever');
  const fallback = 'fallback' in param ? `, ${word}` : ', must be given';
  return `\`${name}\`: ${param.doc} (${param.wanted}${fallback})`.replaceAll('|', '\\|');
}

it('the page of faults is what the code says', async () => {
  const rows = [...FAULTS.values()].map(({ name, doc, grounds, params, when }) => {
    const parameters = Object.entries(params).map(([key, param]) => cell(key, param));
    const about = when ? Object.entries(when).map(([key, value]) => `\`${key}: ${value}\``) : [];
    return `| \`${name}\` | ${doc} | ${parameters.join('<br>')} | ${about.join(', ')} | ${grounds.join(', ')} |`;
  });
  const table = ['| fault | what happens | parameters | about, by default | where |', '|---|---|---|---|---|', ...rows];
  await expect(`${HEAD}\n${table.join('\n')}\n`).toMatchFileSnapshot('../../docs/faults.md');
});
