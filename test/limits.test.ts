import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from './support/house/source.ts';

const tree = readTree(join(import.meta.dirname, '..'));
const text = (path: string) => tree.get(path) ?? '';
const rows = [...text('docs/limits.md').matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)]
  .map(([, when = '', limit = '', , flag = '']) => ({ when, limit, flag }))
  .filter(({ when }) => when !== 'when');

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
const LIMITS: [when: string, limit: string][] = [
  [
    'a line over stdio is longer than',
    `${constant('src/transports/stdio/line-decoder.ts', 'HOLD_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'data of one long line waits to be written',
    `${constant('src/record/stdio/long-line-recorder.ts', 'BEHIND_BYTES_MAX') / MIB} MiB in memory`,
  ],
  ['other streams send data while a long line is written', 'no limit'],
  ['more cassettes have an open file than', count(constant('src/record/writer/open-file-pool.ts', 'OPEN_MAX'))],
  ['the process has as many open files as it may have', "the system's (`ulimit -n`)"],
  [
    '`cassette.yaml`, `cassette-2.yaml` and all further names are taken',
    `${count(constant('src/cassette/write/cassette-file.ts', 'NAMES_MAX'))} names`,
  ],
  ['a message is longer than', `${usual('--body-limit')} MiB`],
  [
    'the head of a request or an answer is longer than',
    `${constant('src/transports/http/upstream/upstream-connection.ts', 'HEAD_BYTES_MAX') / KIB} KiB`,
  ],
  [
    'all bodies that are still being sent are together longer than',
    `${constant('src/transports/http/http1/body-memory.ts', 'FULL_BODIES_MAX') * Number(usual('--body-limit'))} MiB, four times \`--body-limit\``,
  ],
  [
    "nothing of a request's body comes for",
    `${constant('src/transports/http/proxy/client-connection.ts', 'BODY_SILENCE_MAX') / 1000} s`,
  ],
  ['the server takes long to send a body', 'no limit'],
  [
    'a client takes longer to send the head of a request than',
    `${constant('src/transports/http/proxy/client-connection.ts', 'HEAD_WITHIN') / 1000} s`,
  ],
  ['clients have more connections at once than', count(usual('--connections'))],
  ['more sessions are open at once than', count(usual('--sessions'))],
  ['a session is silent for', `${usual('--idle')} s`],
  [
    'the server crashes again and again, without an answer in between (`crash`)',
    `${constant('src/restart/restart-delays.ts', 'CRASHES_MAX')} times`,
  ],
  [
    'a server that is replaced still runs after the end of its input (`change`)',
    `${constant('src/restart/server-process.ts', 'INPUT_PATIENCE') / 1000} s`,
  ],
  ['it still runs after `SIGTERM`', `${constant('src/restart/server-process.ts', 'SIGTERM_PATIENCE') / 1000} s`],
  ['messages of the client wait for the new server', 'no limit'],
  [
    'a request waits for the server to come back',
    `${constant('src/restart/http/outage.ts', 'OUTAGE_PATIENCE') / 1000} s`,
  ],
  [
    'the server loses the session again after a new one was opened',
    `${constant('src/restart/http/http-session.ts', 'LASTING') / 1000} s`,
  ],
  ['more sessions are kept than', count(constant('src/restart/http/restarted-http-server.ts', 'SESSIONS_MAX'))],
  ['spans wait to be sent', count(constant('src/traces/trace-exporter.ts', 'QUEUE_MAX'))],
  [
    'the collector does not answer a request within',
    `${constant('src/traces/trace-exporter.ts', 'ANSWER_MS_MAX') / 1000} s`,
  ],
  [
    'the recording has ended, and sending the last spans takes longer than',
    `${constant('src/traces/trace-exporter.ts', 'END_MS_MAX') / 1000} s`,
  ],
  [
    'more sessions over HTTP are open at once than',
    count(constant('src/replay/http/http-mock-handler.ts', 'SESSIONS_MAX')),
  ],
  [
    'messages wait for a stream that the client has not opened',
    count(constant('src/replay/http/server-session.ts', 'HELD_MAX')),
  ],
  [
    'events are kept for clients that resume a stream',
    count(constant('src/replay/http/resumable-event-stream.ts', 'EVENTS_MAX')),
  ],
  [
    'a session of a mock server or mock client has more messages than',
    count(constant('src/mock/protocol-rules/checked-session.ts', 'CHECKED_MESSAGES_MAX')),
  ],
  [
    'a request to `replay --http` is longer than',
    `${constant('src/cli/commands/mock-servers/replay-http.ts', 'BODY_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'all requests that are still being sent to a mock server are together longer than',
    `${
      (constant('src/transports/http/http1/body-memory.ts', 'FULL_BODIES_MAX') *
        constant('src/cli/commands/mock-servers/replay-http.ts', 'BODY_BYTES_MAX')) /
      MIB
    } MiB`,
  ],
  [
    'a client takes longer to send a request to a mock server than',
    `${constant('src/transports/http/server/http-listener.ts', 'REQUEST_WITHIN') / 1000} s`,
  ],
  [
    'a request to the control API is longer than',
    `${constant('src/mock/control/control-api-server.ts', 'CONTROL_BODY_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'a request to the control API asks to wait for longer than',
    `${constant('src/mock/control/control-operations.ts', 'WAIT_MS_MAX') / 1000} s`,
  ],
  [
    'an action of a page of `ui` is longer than',
    `${constant('src/ui/work/page-actions.ts', 'ACTION_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'there are more clients, codes, grants or refresh tokens than',
    `${count(constant('src/mock/authorization/grant-store.ts', 'GRANTS_MAX'))} of each`,
  ],
  [
    'an authorization code is older than',
    `${constant('src/mock/authorization/token-endpoint.ts', 'CODE_LIFETIME') / 1000} s`,
  ],
  ['the file is larger than', `${constant('src/cassette/read/parse-cassette.ts', 'CASSETTE_BYTES_MAX') / MIB} MiB`],
  [
    'the page of `report --viewer` opens a file larger than',
    `${constant('src/viewer/open-cassettes.ts', 'VIEWER_BYTES_MAX') / MIB} MiB`,
  ],
  [
    'an event has another YAML layout than a recorder writes, such as `{ … }` on one line, and is longer than',
    `${constant('src/cassette/read/yaml/full-yaml-reader.ts', 'YAML_LENGTH_MAX') / MIB} MiB`,
  ],
  [
    'such an event has more words and marks than',
    count(constant('src/cassette/read/yaml/nesting-limit.ts', 'PARTS_MAX')),
  ],
  ['the header is longer than', `${constant('src/cassette/read/event-splitter.ts', 'HEADER_LENGTH_MAX') / MIB} MiB`],
  ['values are nested deeper than', `${constant('src/protocol/json-scan.ts', 'JSON_DEPTH_MAX')} levels`],
  ['one mapping has more YAML aliases than', count(constant('src/cassette/read/yaml/node-to-json.ts', 'ALIASES_MAX'))],
  [
    'one mapping has more values than, with each alias replaced by its values',
    count(constant('src/cassette/read/yaml/node-to-json.ts', 'NODES_MAX')),
  ],
  ['the secrets have more spellings than', count(constant('src/redact/replace/secret-registry.ts', 'VALUES_MAX'))],
  [
    'all spellings together are longer than',
    `${count(constant('src/redact/replace/secret-registry.ts', 'LENGTH_MAX'))} characters`,
  ],
  ['an answer is longer than', `${constant('src/verify/run/live-server-over-channel.ts', 'LINE_BYTES_MAX') / MIB} MiB`],
  ['an answer takes longer than', `${usual('--timeout') / 1000} s`],
  [
    'the two answers have more lines together than',
    count(constant('src/text-report/difference-text.ts', 'DRAWN_LINES_MAX')),
  ],
  [
    'the printed difference has more lines than',
    `${constant('src/text-report/difference-text.ts', 'SHOWN_LINES_MAX')}`,
  ],
];

function count(number: number): string {
  return number.toLocaleString('en');
}

describe('the page of limits', () => {
  it('has each limit as the code has it, and no other', () => {
    expect(rows.map(({ when, limit }) => [when, limit])).toEqual(LIMITS);
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
