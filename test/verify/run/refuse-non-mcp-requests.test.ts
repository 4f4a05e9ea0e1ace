import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareServer } from '../../../src/adapters/test/verify-server.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { refuseNonMcpRequests } from '../../../src/verify/run/refuse-non-mcp-requests.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { mcpRecord } from '../../support/command.ts';
import { run } from '../../support/process.ts';

const HEAD = 'format: mcp-record/1\ntransport: http\nurl: http://127.0.0.1:1/mcp\nevents:\n';
const INITIALIZE =
  '- client: { jsonrpc: "2.0", id: 0, method: initialize, params: { protocolVersion: "2025-11-25" } }\n  stream: 1\n';

/** What a stranger's cassette may name, and what the error says of it. */
const HOSTILE: readonly (readonly [event: string, what: string])[] = [
  ['- open: DELETE\n  stream: 2\n  path: /admin/users/1\n', 'the path "/admin/users/1"'],
  ['- open: PUT\n  stream: 2\n', 'the method "PUT"'],
  ['- open: GET\n  stream: 2\n  headers:\n    host: attacker.example\n', 'the header "host"'],
  ['- open: GET\n  stream: 2\n  headers:\n    x-forwarded-user: root\n', 'the header "x-forwarded-user"'],
  [INITIALIZE.replace('stream: 1', 'stream: 2\n  headers:\n    cookie: admin=1'), 'the header "cookie"'],
];

describe('the requests of a recorded client', () => {
  it.each(HOSTILE)('are refused before anything is sent, with the line: %j', (event, what) => {
    const cassette = parseCassette(`${HEAD}${INITIALIZE}${event}`, 'a.yaml');
    expect(() => refuseNonMcpRequests(cassette, '--other-requests')).toThrow(
      new RegExp(
        `${what.replace(/[.?]/g, '\\$&')}.*\\[CASSETTE_OTHER_REQUEST\\]\\s+at a.yaml:7\\s.*--other-requests`,
        's',
      ),
    );
  });

  it('may ask for what MCP needs, in whatever revision', () => {
    const events = `${INITIALIZE}  headers:\n    accept: text/html\n    mcp-protocol-version: ""\n- open: GET\n  stream: 2\n  resumes: "1"\n- open: DELETE\n  stream: 3\n`;
    expect(() => refuseNonMcpRequests(parseCassette(HEAD + events, 'a.yaml'), '')).not.toThrow();
    const folder = join(import.meta.dirname, '..', '..', '..', 'cassettes');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')))
      expect(() => refuseNonMcpRequests(loadCassette(join(folder, file)), '')).not.toThrow();
  });

  it('reach no server through verify and verifyServer, unless they are permitted', async () => {
    const asked: string[] = [];
    const server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.writeHead(404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const file = join(temporaryFolder(), 'hostile.yaml');
    writeFileSync(file, `${HEAD}- open: DELETE\n  stream: 1\n  path: /admin/users/1\n${INITIALIZE}`);
    const { status, stderr } = await run(mcpRecord('verify', '--http', url, file));
    expect([status, stderr]).toEqual([2, expect.stringContaining('[CASSETTE_OTHER_REQUEST]')]);
    await expect(compareServer(file, { url })).rejects.toMatchObject({ code: 'CASSETTE_OTHER_REQUEST' });
    expect(asked).toEqual([]);
    await compareServer(file, { url }, { otherRequests: true, patience: 1_000 });
    expect(asked).toContain('DELETE /admin/users/1');
    server.close();
  });
});
