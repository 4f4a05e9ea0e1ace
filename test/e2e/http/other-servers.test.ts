import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { record } from './processes.ts';

const folder = temporaryFolder();
const BODY = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
const REDIRECT = (to: string) => `HTTP/1.1 307 Away\r\nLocation: http://${to}/mcp\r\nContent-Length: 0\r\n\r\n`;

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Two servers: the one that is recorded, which sends everybody to the other one, and that one. */
async function servers() {
  const asked: string[] = [];
  let strayed = 0;
  const other = createServer((socket) => {
    strayed++;
    socket.destroy();
  });
  const elsewhere = await listening(other);
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      asked.push(data.toString('latin1').split(' ', 2).join(' '));
      socket.end(REDIRECT(elsewhere));
    });
  });
  return {
    url: new URL(`http://${await listening(server)}/mcp`),
    elsewhere,
    asked,
    strayed: () => strayed,
    [Symbol.dispose]: () => void [server.close(), other.close()],
  };
}

/** The first line of what a request is answered with: `HTTP/1.1 200 OK`. */
async function ask(url: URL, line: string, fields: readonly string[]): Promise<string> {
  const socket = connect(Number(url.port), url.hostname);
  let heard = '';
  socket.on('data', (data) => {
    heard += data.toString('latin1');
  });
  socket.on('error', () => {});
  const head = [`${line} HTTP/1.1`, ...fields, 'Connection: close', `Content-Length: ${BODY.length}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n${BODY}`, 'latin1');
  await once(socket, 'close');
  return heard;
}

describe('a recorder that is asked for another server', () => {
  it('asks its own, whatever the path looks like, and passes a redirection on without following it', async () => {
    using far = await servers();
    await using recorder = await record(far.url, join(folder, 'paths.yaml'));
    const paths = ['/mcp', `//${far.elsewhere}/mcp`, `/\\${far.elsewhere}/mcp`, `/@${far.elsewhere}/mcp`].concat(
      `/%2f%2f${far.elsewhere}/mcp`,
      '/mcp/../../etc/passwd',
      `/mcp?to=http://${far.elsewhere}/`,
    );
    for (const path of paths) {
      const answer = await ask(recorder.url, `POST ${path}`, [`Host: ${recorder.url.host}`]);
      expect(answer, path).toMatch(/^HTTP\/1\.1 307 Away\r\n/);
      expect(answer, path).toContain(`http://${far.elsewhere}/mcp`);
    }
    expect(far.asked).toEqual(paths.map((path) => `POST ${path}`));
    expect(far.strayed()).toBe(0);
    expect((await recorder.stop()).status).toBe(0);
  });

  it('refuses the names and pages of others, as a name may lead here that did not before', async () => {
    using far = await servers();
    await using recorder = await record(far.url, join(folder, 'names.yaml'));
    const { host } = recorder.url;
    const from = (origin: string) => ['POST /mcp', `Host: ${host}`, `Origin: ${origin}`];
    const refused = [
      ['POST /mcp', `Host: rebind.example:${recorder.url.port}`],
      ['POST /mcp', 'Host: 127.0.0.1.rebind.example'],
      ['POST /mcp', `Host: ${host}@rebind.example`],
      ['POST /mcp', `Host: ${host}, rebind.example`],
      ['POST /mcp', `Host: ${host}`, 'Host: rebind.example'],
      ['POST /mcp', 'Host: 0.0.0.0'],
      ['POST /mcp', 'Host:'],
      [`POST http://${host}/mcp`, 'Host: rebind.example'],
      ...['null', 'file://', 'http://localhost.rebind.example', 'http://localhost@rebind.example'].map(from),
      [...from(`http://${host}`), 'Origin: http://rebind.example'],
      ['OPTIONS /mcp', `Host: ${host}`, 'Origin: http://rebind.example'],
    ];
    for (const [line = '', ...fields] of refused)
      expect(await ask(recorder.url, line, fields), fields.join()).toMatch(/^HTTP\/1\.1 403 /);
    const misled = await ask(recorder.url, `POST http://${far.elsewhere}/mcp`, [`Host: ${host}`]);
    expect(misled).toMatch(/^HTTP\/1\.1 421 /);
    expect([far.asked, far.strayed()]).toEqual([[], 0]);
    expect((await recorder.stop()).status).toBe(0);
  });
});
