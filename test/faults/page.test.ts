import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FaultKind } from '../../src/faults/fault.ts';
import { FAULTS } from '../../src/faults/fault-table.ts';
import type { Param } from '../../src/faults/rules/fault-param-types.ts';
import { parseFaultRules, parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { exampleOf, LONG_EXAMPLES } from './fault-examples.ts';

const HEAD = `# Faults

What does your client do when its server is slow, breaks off or sends an error? A fault makes a mock server misbehave:

\`\`\`console
$ mcp-record replay --fault 'error-reply:tools/call' cassette.yaml
mcp-record: 1 fault, seed 258285
mcp-record: rule 1 fired: error-reply on message 3 of the server (tools/call)
\`\`\`

The client called a tool, and got an error in place of the recorded response. The text after \`--fault\` is a rule:

| rule | what happens |
|---|---|
| \`error-reply:tools/call\` | Each response to a tool call becomes an error. |
| \`latency::delay=200\` | Each message of the server is delayed by 200 ms. No method stands between the colons, so the rule applies to all. |
| \`http-status:tools/call:status=503,times=1\` | Over HTTP, the first tool call is answered with status 503. |

A rule is \`fault\`, \`fault:method\` or \`fault:method:name=value,name=value\`. In a test, you write the same as a function: see [test a retry](#test-a-retry). [The table](#the-table) has all faults.

## Which fault do I want?

| your client sees | fault |
|---|---|
| an error as the answer | \`error-reply\` |
| an HTTP status in place of the answer | \`http-status\` |
| a late answer | \`latency\` |
| no answer, but all later messages | \`drop\` |
| no answer and nothing else, on a connection that stays open | \`stall\` |
| nothing for a time, then all messages in one write | \`clog\` |
| no server | \`down\` |

Some faults end the connection. They differ in how it ends:

| fault | over stdio | over HTTP |
|---|---|---|
| \`cut\` | the process is killed, before or within the answer | the connection closes, before or within the answer |
| \`reset\` | – | the connection is reset |
| \`truncate\` | the output ends in the middle of the answer | the body or stream ends in the middle of the answer |
| \`end\` | the process exits with 0 | the body or stream is complete, but has no answer |
| \`half-close\` | the output ends, and the process lives on | as \`end\`, and the connection half closes |
| \`exit\` | the process exits with an error or by a signal | the server is gone, for all clients |

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

The test fails if the fault never happens. Each fault is a function of \`mcp-record/faults\`, in camel case. It takes the parameters of the fault, and \`on\` (the method), \`nth\`,
\`times\`, \`probability\` and [\`when\`](#when).

To break the connection, use \`cut\`. Over HTTP it closes the connection of the call. Over stdio it kills the process, and your client has to start it again:

\`\`\`ts
import { cut } from 'mcp-record/faults';

const { url } = await mcp.server('cassettes/weather.yaml', { over: 'http', faults: [cut({ on: 'tools/call', nth: 1 })] });
const { command, args } = await mcp.server('cassettes/weather.yaml', { over: 'stdio', faults: [cut({ on: 'tools/call', nth: 1 })] });
\`\`\`

- A recorded call is usually answered once. A call that a fault disturbed may be made once more: see [matching](matching.md#how-often-an-answer-is-given).
- A process that was killed leaves recorded requests unused. \`mcp.server\` does not fail for these if there are faults. In other test runners, give \`mockServer\` the option
  \`onUnused: 'report'\`.

## On the command line

Faults work with a recorded server (\`replay\`) and with a live one (\`proxy\`), over stdio and over HTTP:

\`\`\`console
$ mcp-record replay --fault 'cut:tools/call' cassette.yaml
$ mcp-record replay --http --fault 'reset:tools/call' cassette.yaml
$ mcp-record proxy --fault 'latency::delay=200' -- node server.js
$ mcp-record proxy --http http://127.0.0.1:3000/mcp --fault 'http-status:tools/call:status=503,times=1'
$ mcp-record replay --faults faults.yaml cassette.yaml
\`\`\`

\`faults.yaml\` can say more than the short text. Tests take the same rules as objects:

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

Rules apply to a message in the order of the file, each to the result of the previous one. Standard error shows each rule that happened, and each that never did. With
\`--strict-faults\`, a rule that never happened makes the exit status 1.

The *seed* decides what is random. To repeat a run, pass the seed that it printed: \`--seed 258285\`. The faults and their bytes are the same if the messages that they apply to
arrive in the same order.

## The table

A rule without \`when\` applies to every message of the server. \`when\` selects messages: with \`when: { method: tools/call, nth: 2 }\`, the fault happens to the answer of the
second tool call. [When](#when) has all conditions.

- In the short form, the method stands for \`when: { method: … }\`.
- *Applies to* in a row is the default \`when\` of the fault. Your \`when\` changes only the keys that you write. For example, \`version\` applies to
  \`{ kind: response, method: initialize }\`. With \`when: { method: server/discover }\`, it applies to \`{ kind: response, method: server/discover }\`.
- Times are milliseconds, at most 86,400,000 (a day).
- *Memory* means a mock server in the process of your test. A row without *Only over* works over stdio, over HTTP and in memory.

If none of these faults fits, [write your own](writing-a-fault.md).
`;

const TAIL = `
## When

\`when\` chooses the messages that a rule applies to. All conditions must hold:

| key | holds for a message that |
|---|---|
| \`from\` | is from \`client\` or \`server\` (default) |
| \`kind\` | is a \`request\`, \`response\` or \`notification\`; or one of the kinds below |
| \`method\` | has this method, or answers a request that had it. [\`oauth/token\` and others](auth.md#what-goes-wrong) are methods of an authorization flow. |
| \`tool\`, \`prompt\`, \`resource\` | is a request that names it, or its answer or progress |
| \`at\` | has these values at these JSON Pointers: \`{ /params/name: search }\` |
| \`stream\` | came in this HTTP request or its response, counted from 1 |
| \`nth\` | is the n-th for which all conditions above hold |
| \`after\` | comes after this number of messages of its side |

Some events are not messages. \`kind\` selects them, too:

| \`kind\` | event |
|---|---|
| \`end\` | the end of input, a signal, or an HTTP connection that is left or lost |
| \`open\` | an HTTP request without a message |
| \`authorization\` | a request of an [authorization flow](auth.md), or the body of its answer |
| \`start\` | the start of the server, before any message (for \`down\` only) |

Beside \`when\`, a rule may have \`times\`, which limits how often the fault happens, and \`probability\` (0 to 1), which makes it random.

A condition that no message can meet is refused at once, such as \`{ tool: search, method: tools/list }\`.

### What is counted

\`nth\`, \`times\` and \`probability\` count from the start of the mock server. Changing the faults with \`misbehave\` or \`mcp.faults\`, or a \`reset\`, starts again. These messages are
counted together:

| mock server | counts the matches of |
|---|---|
| in memory | its session |
| over HTTP | all connections and clients |
| over stdio, by \`mockServer\` or \`mcp.server\` | all processes that clients start as this server, also at the same time |
| \`replay\` and \`proxy\` on the command line | the process, and over HTTP all of its connections |

So with \`nth: 1\` or \`times: 1\`, a server over stdio dies once. The client starts it again, and gets its answer.

\`after\` counts the messages of one process over stdio, and those of all connections over HTTP. \`down\` without \`times\` applies to every process.

## Over HTTP

These faults differ in what your client sees of the connection:

| fault | the client sees | error of \`fetch\` |
|---|---|---|
| \`end\` | a complete body or stream, without the answer | none |
| \`truncate\` | a body that is shorter than announced, or a stream that ends inside an event | \`UND_ERR_SOCKET\`, or none |
| \`cut\` | a connection that ends inside the answer (FIN) | \`UND_ERR_SOCKET\` |
| \`reset\` | a connection that breaks (RST) | \`ECONNRESET\` |
| \`corrupt\`, kind \`framing\` | bytes that are not HTTP | \`HTTPParserError\` |
| \`down\` | no server | \`ECONNREFUSED\` |

- A fault holds or ends one stream only, although a rule counts the messages of all streams.
- If a fault holds a body, the client does not see its head (status and headers) yet. The head of an event stream is sent at once.
- A response that becomes several messages, as by \`duplicate\`, is sent as an event stream.
`;

const GROUPS = {
  messages: 'Messages',
  timing: 'Delays',
  connections: 'Connections and processes',
  authorization: 'Authorization',
};

/** The faults that most tests need. They have a table of their own. */
const COMMON = ['error-reply', 'http-status', 'latency', 'drop', 'duplicate', 'stall', 'cut', 'reset', 'down'];

/** Shortens how a parameter describes its values, for a table. */
function valuesOf({ wanted }: Param<unknown>): string {
  if (/^milliseconds from/.test(wanted)) return 'ms';
  if (wanted === 'milliseconds or forever') return 'ms or `forever`';
  if (wanted === 'names of fields and their texts') return 'object of texts';
  if (/^[\w-]+(?: or [\w-]+)+$/.test(wanted))
    return wanted
      .split(' or ')
      .map((word) => `\`${word}\``)
      .join(', ');
  return wanted.replace('a whole number', 'number').replace('a mapping', 'object').replace('a status from', 'from');
}

/** Returns the lines of a parameter: one a value, if its text has one a value. */
function linesOf([name, param]: [string, Param<unknown>]): string[] {
  const { fallback: value, doc } = param;
  if (/^[\w-]+: /.test(doc) && doc.includes('; '))
    return doc.split('; ').map((line) => {
      const [word = '', ...text] = line.split(': ');
      return `\`${name}=${word}\`${word === value ? ' (default)' : ''}: ${text.join(': ')}.`;
    });
  const isShown = value !== undefined && typeof value !== 'object';
  const shown = isShown ? `; default \`${String(value).replace('Infinity', 'forever')}\`` : '';
  return [`\`${name}\`: ${doc} (${valuesOf(param)}${'fallback' in param ? shown : '; required'}).`];
}

function row({ name, doc, transports, params, when }: FaultKind): string {
  const wanted = Object.entries(when ?? {}).map(([key, value]) => `${key}: ${value}`);
  const text = [
    ...doc.split(/(?<=\.) (?=[A-Z])/),
    ...(wanted.length > 0 ? [`*Applies to* \`{ ${wanted.join(', ')} }\`.`] : []),
    ...(transports.length < 3 ? [`*Only over* ${transports.join(' and ').replace('http', 'HTTP')}.`] : []),
  ];
  const parameters = Object.entries(params).flatMap(linesOf);
  const cells = [`\`${name}\``, text.join('<br> '), `\`${exampleOf(name)}\``, parameters.join('<br> ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function tableOf(title: string, kinds: readonly (FaultKind | undefined)[]): string {
  return [
    `\n### ${title}\n`,
    '| fault | what happens | example | parameters |',
    '|---|---|---|---|',
    ...kinds.flatMap((kind) => kind ?? []).map(row),
  ].join('\n');
}

it('the page of faults is what the code says', async () => {
  const others = [...FAULTS.values()].filter(({ name }) => !COMMON.includes(name));
  const tables = Object.entries(GROUPS).map(([folder, title]) => {
    const path = (name: string) => join(import.meta.dirname, '..', '..', 'src', 'faults', folder, `${name}.ts`);
    return tableOf(
      title,
      others.filter(({ name }) => existsSync(path(name))),
    );
  });
  const common = tableOf(
    'The most common',
    COMMON.map((name) => FAULTS.get(name)),
  );
  const page = `${HEAD}${[common, ...tables].join('\n')}\n${TAIL}`;
  for (const name of FAULTS.keys()) expect(page).toContain(`\n| \`${name}\` |`);
  await expect(page).toMatchFileSnapshot('../../docs/faults.md');
});

it('has an example of each fault that can be read over each of its transports', () => {
  for (const { name, transports } of FAULTS.values())
    for (const transport of transports) {
      const example = exampleOf(name) ?? '';
      const rule = LONG_EXAMPLES.includes(example)
        ? parseFaultRules({ faults: [parse(example)] }, { name, transport }).rules[0]
        : parseShortRule(example, transport);
      expect(rule?.fault.kind.name).toBe(name);
    }
  expect(() => parseShortRule('latency:tools/call', 'stdio')).toThrow('"delay" is missing');
});
