import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from './support/house/source.ts';

const tree = readTree(join(import.meta.dirname, '..'));
const text = (path: string) => tree.get(path) ?? '';
const rows = [...text('docs/limits.md').matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]
  .map(([, what = '', limit = '', flag = '']) => ({ what, limit, flag }))
  .filter(({ what }) => what !== 'what');

/** The number that a constant of the source holds. */
function constant(path: string, name: string): number {
  const factors = new RegExp(`const ${name}(?:: (?:number|Milliseconds))? = ([\\d_ *]+);`).exec(text(path))?.[1] ?? '';
  return factors.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
}

/** What an option of the command line is without being given. */
function usual(option: string): number {
  return Number(
    new RegExp(`'${option} <[^']*', '[^']*', '(\\d+)'`).exec(
      text('src/cli/command-definitions/record-command.ts') + text('src/cli/command-definitions/session-commands.ts'),
    )?.[1],
  );
}

const [KIB, MIB] = [1024, 1024 * 1024];

/** Each limit of the page as the code has it, in the unit of the page. */
const LIMITS: [what: string, limit: string][] = [
  [
    'a line over stdio that is recorded',
    `${constant('src/transports/stdio/line-decoder.ts', 'HOLD_BYTES_MAX') / MIB} MiB held in memory`,
  ],
  ['a message over HTTP that is recorded', `${usual('--body-limit')} MiB`],
  [
    'the head of a request or answer over HTTP',
    `${constant('src/transports/http/upstream/upstream-connection.ts', 'HEAD_BYTES_MAX') / KIB} KiB`,
  ],
  [
    'time for the head of a request over HTTP',
    `${constant('src/transports/http/proxy/client-connection.ts', 'HEAD_WITHIN') / 1000} s`,
  ],
  ['clients over HTTP at once', `${count(usual('--connections'))} connections`],
  ['sessions over HTTP at once', count(usual('--sessions'))],
  [
    'a server that crashes, with `--restart-on crash`',
    `${constant('src/restart/restart-delays.ts', 'CRASHES_MAX')} times in a row without an answer`,
  ],
  [
    'time of a server to end, with `--restart-on change`',
    `${constant('src/restart/server-process.ts', 'INPUT_PATIENCE') / 1000} s after the end of its input, ${constant('src/restart/server-process.ts', 'SIGTERM_PATIENCE') / 1000} s more after \`SIGTERM\``,
  ],
  [
    'wait of a request for a server at a URL, with `--restart-on crash`',
    `${constant('src/restart/http/outage.ts', 'OUTAGE_PATIENCE') / 1000} s`,
  ],
  [
    'openings of a session at a server at a URL, with `--restart-on crash`',
    `one in ${constant('src/restart/http/http-session.ts', 'LASTING') / 1000} s`,
  ],
  [
    'sessions that are kept over restarts of a server at a URL',
    count(constant('src/restart/http/restarted-http-server.ts', 'SESSIONS_MAX')),
  ],
  ['messages of a client that wait for a new server', '–'],
  ['a silent session over HTTP', `${usual('--idle')} s`],
  ['cassettes whose files are open at once', count(constant('src/record/writer/open-file-pool.ts', 'OPEN_MAX'))],
  ['open files of the process', "the system's (`ulimit -n`)"],
  ['spans that wait to be sent, with `--otlp`', count(constant('src/traces/trace-exporter.ts', 'QUEUE_MAX'))],
  [
    'time for a collector to answer, with `--otlp`',
    `${constant('src/traces/trace-exporter.ts', 'ANSWER_MS_MAX') / 1000} s`,
  ],
  ['time to send the last spans, with `--otlp`', `${constant('src/traces/trace-exporter.ts', 'END_MS_MAX') / 1000} s`],
  ['names for a cassette (`cassette-2.yaml`, …)', count(constant('src/cassette/write/cassette-file.ts', 'NAMES_MAX'))],
  [
    'sessions over HTTP of a mock server at once',
    count(constant('src/replay/http/http-mock-handler.ts', 'SESSIONS_MAX')),
  ],
  [
    'messages that a mock server holds for a stream that is not open',
    count(constant('src/replay/http/server-session.ts', 'HELD_MAX')),
  ],
  [
    'events that a mock server keeps for clients that resume a stream',
    count(constant('src/replay/http/resumable-event-stream.ts', 'EVENTS_MAX')),
  ],
  [
    'messages of a session that a mock server or mock client checks by the rules of the protocol',
    `the first ${count(constant('src/mock/protocol-rules/checked-session.ts', 'CHECKED_MESSAGES_MAX'))}`,
  ],
  [
    'a request to `replay --http`',
    `${constant('src/cli/commands/mock-servers/replay-http.ts', 'BODY_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'a request to the control API',
    `${constant('src/mock/control/control-api-server.ts', 'CONTROL_BODY_BYTES_MAX') / MIB} MiB`,
  ],
  ['an action of a page of `ui`', `${constant('src/ui/work/page-actions.ts', 'ACTION_BYTES_MAX') / MIB} MiB`],
  [
    'time that a request to the control API waits',
    `${constant('src/mock/control/control-operations.ts', 'WAIT_MS_MAX') / 1000} s`,
  ],
  [
    'clients, codes, grants and refresh tokens of a mock authorization server',
    `${count(constant('src/mock/authorization/grant-store.ts', 'GRANTS_MAX'))} each`,
  ],
  [
    'validity of an authorization code of a mock authorization server',
    `${constant('src/mock/authorization/token-endpoint.ts', 'CODE_LIFETIME') / 1000} s`,
  ],
  ['a cassette that is loaded', `${constant('src/cassette/read/parse-cassette.ts', 'CASSETTE_BYTES_MAX') / MIB} MiB`],
  [
    'a cassette that the page of `report --viewer` opens',
    `${constant('src/viewer/open-cassettes.ts', 'VIEWER_BYTES_MAX') / MIB} MiB`,
  ],
  [
    "an event that you wrote by hand, in another YAML style than a recorder's, such as `{ … }` on one line",
    `${constant('src/cassette/read/yaml/full-yaml-reader.ts', 'YAML_LENGTH_MAX') / MIB} MiB`,
  ],
  ['the header of a cassette', `${constant('src/cassette/read/event-splitter.ts', 'HEADER_LENGTH_MAX') / MIB} MiB`],
  ['levels of nesting', `${constant('src/protocol/json-scan.ts', 'JSON_DEPTH_MAX')}`],
  [
    'aliases of one mapping in a cassette',
    `${count(constant('src/cassette/read/yaml/node-to-json.ts', 'ALIASES_MAX'))}, and ${count(constant('src/cassette/read/yaml/node-to-json.ts', 'NODES_MAX'))} values`,
  ],
  [
    'secrets that are looked for by value',
    `${count(constant('src/redact/replace/secret-registry.ts', 'VALUES_MAX'))} spellings, ${count(constant('src/redact/replace/secret-registry.ts', 'LENGTH_MAX'))} characters`,
  ],
  [
    'an answer that `verify` waits for',
    `${constant('src/verify/run/live-server-over-channel.ts', 'LINE_BYTES_MAX') / MIB} MiB, ${usual('--timeout') / 1000} s`,
  ],
  [
    'the drawn difference of two answers',
    `${count(constant('src/text-report/difference-text.ts', 'DRAWN_LINES_MAX'))} lines compared, ${constant('src/text-report/difference-text.ts', 'SHOWN_LINES_MAX')} shown`,
  ],
];

function count(number: number): string {
  return number.toLocaleString('en');
}

describe('the page of limits', () => {
  it('has each limit as the code has it, and no other', () => {
    expect(rows.map(({ what, limit }) => [what, limit])).toEqual(LIMITS);
  });

  it('names options that there are', () => {
    const commands =
      text('src/cli/command-definitions/record-command.ts') +
      text('src/cli/command-definitions/session-commands.ts') +
      text('src/cli/command-definitions/cassette-commands.ts');
    const named = rows.flatMap(({ flag }) => flag.match(/--?[a-z][\w-]*/g) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((option) => !new RegExp(`[' ]${option}[ ',]`).test(commands))).toEqual([]);
  });

  it('is missed by a limit that differs', () => {
    expect(constant('src/record/writer/open-file-pool.ts', 'NO_SUCH_MAX')).toBe(0);
    expect(usual('--no-such')).toBeNaN();
  });
});
