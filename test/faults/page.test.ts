import { expect, it } from 'vitest';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Param } from '../../src/faults/rules/fault-param-types.ts';

const HEAD = `# Faults

A mock server or a proxy can misbehave on purpose, over stdio and over HTTP. This page lists the faults, and explains how to write rules for them:

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

A rule can be written in three ways:

| rule | where |
|---|---|
| a short text: \`fault\`, \`fault:method\` or \`fault:method:name=value,name=value\` | \`--fault\`, and tests |
| an object, as in the file | a file of \`--faults\`, and tests |
| a function of \`mcp-record/faults\` | tests |

The [table](#the-table) at the end has every fault. This page is generated from the code: \`npx vitest run test/faults/page -u\`.

## Test a retry

Make the first call fail. The client makes it again, and gets the recorded answer. \`mcp\` is the fixture of [vitest](vitest.md):

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

A fault that never happens fails the test. Over HTTP, \`cut\` breaks the connection. Over stdio it kills the process, and your client has to start it again:

\`\`\`ts
import { cut } from 'mcp-record/faults';

const { url } = await mcp.server('cassettes/weather.yaml', { over: 'http', faults: [cut({ on: 'tools/call', nth: 1 })] });
const { command, args } = await mcp.server('cassettes/weather.yaml', { over: 'stdio', faults: [cut({ on: 'tools/call', nth: 1 })] });
\`\`\`

- Each fault of [the table](#the-table) is a function of \`mcp-record/faults\`. For example, \`error-reply\` is
  \`errorReply({ on, nth, when, times, probability, … })\`, which also takes the parameters of the fault.
- A recorded call is used once. A call into whose exchange a fault was injected may be made once more: see [matching](matching.md#how-often-an-answer-is-given).
- A process that was killed leaves recorded requests unused. \`mcp.server\` only reports these if there are faults. In other test runners, give \`mockServer\` the option
  \`onUnused: 'report'\`.

## When

A rule without \`when\` applies to every message of the server, unless the table names another default. All conditions of \`when\` must hold:

| key | holds for a message that |
|---|---|
| \`from\` | is from \`client\` or \`server\` (default) |
| \`kind\` | is a \`request\`, \`response\` or \`notification\`; or one of the kinds below |
| \`method\` | has this method, or answers a request that had it. [\`oauth/token\` and others](auth.md#what-goes-wrong) are methods of an authorization flow. |
| \`tool\`, \`prompt\`, \`resource\` | is a request that names it, or its answer or progress |
| \`at\` | has these values at these JSON Pointers: \`{ /params/name: search }\` |
| \`stream\` | came on this HTTP exchange |
| \`nth\` | is the n-th for which all conditions above hold |
| \`after\` | comes after this number of messages of its side |

\`kind\` also selects frames that are not messages:

| \`kind\` | frame |
|---|---|
| \`end\` | the end of input, a signal, or an HTTP connection that is left or lost |
| \`open\` | an HTTP request without a message |
| \`authorization\` | a request of an [authorization flow](auth.md), or the body of its answer |
| \`start\` | the start, before any message |

Conditions that no message can meet are refused with the rule, such as \`{ tool: search, method: tools/list }\`.

\`times\` limits how often a rule fires. \`probability\` (0 to 1) makes it random; each rule draws from its own random sequence. Rules apply to a message in the order of the file,
each to the result of the previous one.

Every rule that fires is printed on standard error. So is each rule that never fired, and with \`--strict-faults\` that makes the exit status 1.

The same seed gives the same faults on the same messages, and the same bytes, if these messages arrive in the same order. The order of the entries of different rules in the journal
depends on the clock.

### What is counted

\`nth\`, \`times\` and the sequence of \`probability\` count matches since the start of the mock server, or since the last \`misbehave\`, \`mcp.faults\` or \`reset\`:

| mock server | counts the matches of |
|---|---|
| in memory | its session |
| over HTTP | all connections and clients |
| over stdio, by \`mockServer\` or \`mcp.server\` | all processes that clients start as this server, also concurrent ones |
| \`replay\` and \`proxy\` on the command line | the process, and over HTTP all of its connections |

So with \`nth: 1\` or \`times: 1\` a server over stdio dies once, and the client that starts it again gets its answer.

\`after\` counts the messages of one process over stdio, and those of all connections over HTTP. \`down\` without \`times\` applies to every process.

## Over HTTP

A rule counts over all streams, in the order in which their messages arrive. Its fault holds or ends a single stream.

A message can be the body of an answer or an event of a stream. The head of a body leaves with its first byte, and the head of a stream at once. If a fault holds an answer, the client
sees no head yet, or a silent stream. An answer that becomes more than one message, as with \`duplicate\`, is sent as a stream.

| fault | what the client sees of the connection | \`fetch\` |
|---|---|---|
| \`end\` | the body or stream is complete, without the answer | no error |
| \`truncate\` | the body is shorter than announced, or the stream ends inside an event | \`UND_ERR_SOCKET\`, or no error |
| \`cut\` | it ends inside the answer (FIN) | \`UND_ERR_SOCKET\` |
| \`reset\` | it breaks (RST) | \`ECONNRESET\` |
| \`corrupt\`, kind \`framing\` | it does not speak HTTP | \`HTTPParserError\` |
| \`down\` | nothing listens | \`ECONNREFUSED\` |

## The table
`;

function cell(name: string, param: Param<unknown>): string {
  const { fallback: value } = param;
  const none = value === undefined || typeof value === 'object';
  const word = none ? 'none' : String(value).replace('Infinity', 'forever');
  const fallback = 'fallback' in param ? `; default ${word}` : '; required';
  return `\`${name}\`: ${param.doc} (${param.wanted}${fallback}).`.replaceAll('|', '\\|');
}

it('the page of faults is what the code says', async () => {
  const rows = [...FAULTS.values()].map(({ name, doc, transports, params, when }) => {
    const parameters = Object.entries(params).map(([key, param]) => cell(key, param));
    const about = when ? Object.entries(when).map(([key, value]) => `\`${key}: ${value}\``) : [];
    return `| \`${name}\` | ${doc} | ${parameters.join('<br> ')} | ${about.join(', ')} | ${transports.join(', ')} |`;
  });
  const table = [
    '| fault | what happens | parameters | applies to, by default | where |',
    '|---|---|---|---|---|',
    ...rows,
  ];
  await expect(`${HEAD}\n${table.join('\n')}\n`).toMatchFileSnapshot('../../docs/faults.md');
});
