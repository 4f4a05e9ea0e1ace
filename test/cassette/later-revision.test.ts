import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';

const LATER = '2026-12-15';
const meta = (revision: string) => `{"_meta":{"io.modelcontextprotocol/protocolVersion":"${revision}"}}`;
const client = (id: number | string, method: string, params = '{}') =>
  `{"client":{"id":${JSON.stringify(id)},"method":"${method}","params":${params}}}`;
const result = (id: number | string, members = '{}') => `{"server":{"id":${JSON.stringify(id)},"result":${members}}}`;
const error = (id: number, code: number) => `{"server":{"id":${id},"error":{"code":${code},"message":"no"}}}`;
const agreed = (revision: string) => `{"protocolVersion":"${revision}"}`;

function warnings(...events: string[]): string[] {
  const text = `{"format":"mcp-record/1","events":[\n${events.join(',\n')}\n]}`;
  return parseCassette(text, 'a.yaml').warnings;
}

const warning = (line: number, known: string) =>
  `a.yaml:${line}: the session has revision ${LATER} of MCP, which is not known yet: it is treated as ${known}`;

describe('a cassette of a later revision has a warning', () => {
  it.each<[string, string[], string[]]>([
    ['if a request names it', [client(1, 'tools/list', meta(LATER)), result(1)], [warning(2, '2026-07-28')]],
    [
      'if a handshake agrees on it, whatever the client has asked for',
      [client(1, 'initialize', agreed('2025-11-25')), result(1, agreed(LATER))],
      [warning(2, '2025-11-25')],
    ],
    [
      'if a refused request names it, for another reason than that',
      [client(1, 'tools/list', meta(LATER)), error(1, -32602)],
      [warning(2, '2026-07-28')],
    ],
    [
      'if the client went on with it',
      [
        client(1, 'server/discover', meta('2026-07-28')),
        error(1, -32022),
        client(2, 'server/discover', meta(LATER)),
        result(2),
      ],
      [warning(4, '2026-07-28')],
    ],
  ])('%s', (_when, events, expected) => {
    expect(warnings(...events)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['the revision is known', [client(1, 'tools/list', meta('2026-07-28')), result(1)]],
    ['the server chose another one', [client(1, 'initialize', agreed(LATER)), result(1, agreed('2025-11-25'))]],
    [
      'the server refused it, and the client went on with another one',
      [
        client(1, 'server/discover', meta(LATER)),
        error(1, -32022),
        client('1', 'server/discover', meta('2026-07-28')),
        result('1'),
      ],
    ],
    ['nobody has answered', [client(1, 'tools/list', meta(LATER))]],
    ['the server refused the handshake', [client(1, 'initialize', agreed(LATER)), error(1, -32603)]],
    ['no request is there', ['{"client":{"method":"notifications/initialized"}}', '{"close":"client"}']],
  ])('but not if %s', (_when, events) => {
    expect(warnings(...events)).toEqual([]);
  });
});
