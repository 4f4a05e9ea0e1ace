import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../../src/kernel/clock.ts';
import type { McpRecordError } from '../../../../src/kernel/errors.ts';
import { ManualClock } from '../../../../src/kernel/manual-clock.ts';
import {
  type CertificateAuthority,
  type KeyAndCertificate,
  openCertificateAuthority,
} from '../../../../src/transports/http/forward-proxy/certificate-authority.ts';
import { startForwardProxy } from '../../../../src/transports/http/forward-proxy/forward-proxy.ts';
import { parseNamedHosts } from '../../../../src/transports/http/forward-proxy/named-hosts.ts';
import { HEAD_WITHIN } from '../../../../src/transports/http/proxy/client-connection.ts';
import type { HttpTrafficEvent } from '../../../../src/transports/http/proxy/http-traffic.ts';
import { Wire } from '../wire.ts';

let folder: string;
let own: CertificateAuthority;
/** The authority of the servers, which the proxy trusts and no client. */
let far: CertificateAuthority;
/** Their certificates for localhost. Making one takes the processor a while. */
let certificates: { own: KeyAndCertificate; far: KeyAndCertificate };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-forward-'));
  const now = new Date();
  own = await openCertificateAuthority({ folder: join(folder, 'own'), now });
  far = await openCertificateAuthority({ folder: join(folder, 'far'), now });
  certificates = { own: await own.certificateFor(['localhost']), far: await far.certificateFor(['localhost']) };
});
afterAll(() => rmSync(folder, { recursive: true }));

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Setup {
  /** Names the hosts. */
  names?(secure: number, plain: number): string;
  clock?: Clock;
  connectionsMax?: number;
}

/** A server with TLS and one without, which say what they were asked; a proxy for them; and clients that the test speaks for. */
async function setup({
  names = (secure, plain) => `localhost:${secure},http://localhost:${plain}`,
  clock = systemClock,
  connectionsMax,
}: Setup = {}) {
  const asked: string[] = [];
  const secureServer = createSecureServer(certificates.far, ({ url, headers }, response) => {
    asked.push(`https ${headers.host} ${url}`);
    const own = `https://${headers.host}`;
    if (url === '/names') {
      const challenge = `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource"`;
      const named = { location: `${own}/there`, 'access-control-allow-origin': own, 'www-authenticate': challenge };
      return void response.writeHead(200, { ...named, 'content-type': 'text/event-stream' }).end(endpointOf(own));
    }
    if (url === '/.well-known/oauth-protected-resource')
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify({ resource: own }));
    if (url !== '/stream') return void response.end('secure answer');
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    once(release, 'abort').then(() => response.end('data: 2\n\n'));
  });
  const held = new AbortController();
  const release = held.signal;
  const plainServer = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      asked.push(`http ${data.toString('latin1')}`);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nplain answer');
    });
  });
  const [secure, plain] = [await listening(secureServer), await listening(plainServer)];
  const troubles: McpRecordError[] = [];
  let watchers: (() => void)[] = [];
  const recorded: { origin: string; piece: HttpTrafficEvent }[] = [];
  const hosts = parseNamedHosts([names(secure, plain)]);
  const proxy = await startForwardProxy({
    hosts,
    listen: { hostname: '127.0.0.1', port: 0 },
    certificate: certificates.own,
    ca: [far.cert],
    clock,
    ...(connectionsMax !== undefined && { connectionsMax }),
    exchange:
      ({ upstream: { origin } }) =>
      (piece) =>
        void recorded.push({ origin, piece }),
    trouble(error) {
      troubles.push(error);
      for (const look of watchers) look();
    },
  });
  const port = Number(new URL(proxy.origin).port);
  const clients: Wire[] = [];
  const client = () => {
    const wire = new Wire(connect({ port, host: '127.0.0.1' }));
    clients.push(wire);
    return wire;
  };
  return {
    proxy,
    port,
    secure,
    plain,
    asked,
    recorded,
    troubles,
    held,
    client,
    /** The next trouble, as its message. */
    async trouble(): Promise<string> {
      while (troubles.length === 0)
        await new Promise<void>((resolve) => {
          watchers = [resolve];
        });
      return troubles.shift()!.message;
    },
    /** A client with a tunnel. */
    async tunnel(authority: string): Promise<Wire> {
      const wire = client().says(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
      await wire.hears('HTTP/1.1 200 Connection Established\r\n\r\n');
      wire.socket.removeAllListeners('data');
      return wire;
    },
    async [Symbol.asyncDispose]() {
      held.abort();
      for (const { socket } of clients) socket.destroy();
      await proxy.close();
      secureServer.closeAllConnections();
      secureServer.close();
      plainServer.close();
    },
  };
}

/** The first event of HTTP with SSE, which names where to post. */
const endpointOf = (origin: string) => `event: endpoint\ndata: ${origin}/messages\n\n`;

/** TLS of a client in its tunnel. */
async function secured(wire: Wire, ca: string): Promise<{ wire: Wire; tls: TLSSocket }> {
  const tls = connectTls({ socket: wire.socket, servername: 'localhost', ca, ALPNProtocols: ['http/1.1'] });
  await once(tls, 'secureConnect');
  return { wire: new Wire(tls), tls };
}

const get = (authority: string, target = '/mcp', ...more: string[]) =>
  [`GET ${target} HTTP/1.1`, `Host: ${authority}`, ...more, '', ''].join('\r\n');

describe('a forward proxy', () => {
  it('ends the TLS of a tunnel, and passes on what the client asks of the server by its own name', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    const { wire, tls } = await secured(await line.tunnel(authority), own.cert);
    expect(tls.alpnProtocol).toBe('http/1.1');
    wire.says(get(authority, '/mcp?x=1', 'Origin: https://page.example', 'Proxy-Authorization: Basic planted'));
    expect(await wire.hears('secure answer')).toContain('HTTP/1.1 200 OK');
    wire.says(get(authority, `https://${authority}/again`));
    await wire.hears('secure answer');
    expect(line.asked).toEqual([`https ${authority} /mcp?x=1`, `https ${authority} /again`]);
    expect(line.recorded.map(({ origin, piece }) => `${origin} ${piece.kind}`).slice(0, 5)).toEqual(
      ['request', 'end', 'response', 'data', 'end'].map((kind) => `https://${authority} ${kind}`),
    );
    expect(line.troubles).toEqual([]);
  });

  it('passes on plain requests for complete URLs, and those in tunnels without TLS', async () => {
    await using line = await setup();
    const authority = `localhost:${line.plain}`;
    const client = line.client().says(get(authority, `http://${authority}/mcp`, 'Proxy-Connection: keep-alive'));
    await client.hears('plain answer');
    client.says(get(authority, `http://${authority.toUpperCase()}`));
    await client.hears('plain answer');
    const wire = await line.tunnel(authority);
    const inTunnel = new Wire(wire.socket);
    await inTunnel.says(get(authority, '/tunnel')).hears('plain answer');
    expect(line.asked.map((text) => text.split('\r\n')[0])).toEqual([
      'http GET /mcp HTTP/1.1',
      'http GET / HTTP/1.1',
      'http GET /tunnel HTTP/1.1',
    ]);
    expect(line.asked.join('')).not.toMatch(/proxy-connection/i);
    expect(line.troubles).toEqual([]);
  });

  it('changes no address, in headers, metadata and events', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    const origin = `https://${authority}`;
    const { wire } = await secured(await line.tunnel(authority), own.cert);
    const answer = await wire.says(get(authority, '/names', `Origin: ${origin}`)).hears(endpointOf(origin));
    expect(answer).toContain(`location: ${origin}/there\r\n`);
    expect(answer).toContain(`access-control-allow-origin: ${origin}\r\n`);
    expect(answer).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource"\r\n`);
    await wire.says(get(authority, '/.well-known/oauth-protected-resource')).hears(`{"resource":"${origin}"}`);
  });

  it('takes what comes with CONNECT, in the same packet', async () => {
    await using line = await setup();
    const authority = `localhost:${line.plain}`;
    const connects = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
    await line
      .client()
      .says(connects + get(authority))
      .hears('plain answer');
    const slow = line.client().says('C');
    await once(slow.socket, 'connect');
    await slow.says(connects.slice(1)).hears('200 Connection Established');
  });

  it('passes on each piece of a stream as it comes', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    const { wire } = await secured(await line.tunnel(authority), own.cert);
    wire.says(get(authority, '/stream'));
    expect(await wire.hears('data: 1')).not.toContain('data: 2');
    line.held.abort();
    await wire.hears('data: 2');
  });
});

describe('a forward proxy refuses', () => {
  it.each([
    ['a host that is not named', 'other.example:443'],
    ['an address that is not named', '127.0.0.1:443'],
    ['another port of a host', 'localhost:1'],
    ['a name with more after it', 'localhost:443/path'],
    ['an authority without a port', 'localhost'],
    ['itself', 'localhost:PORT'],
  ])('a tunnel to %s', async (_what, target) => {
    await using line = await setup();
    const authority = target.replace('PORT', String(line.port));
    const client = line.client().says(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
    expect(await client.left).toBe('end');
    expect(client.heard).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(client.heard).toContain(`--proxy names localhost:${line.secure}, localhost:${line.plain} alone`);
    expect(client.heard).toContain(`Add ${authority} to --proxy to record it, or to NO_PROXY`);
    expect(await line.trouble()).toContain(`Cannot pass on CONNECT ${authority}`);
    expect([line.asked, line.recorded]).toEqual([[], []]);
  });

  it.each([
    ['of another server', 'GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n', 403],
    [
      'of a server that is named with TLS',
      'GET http://localhost:SECURE/ HTTP/1.1\r\nHost: localhost:SECURE\r\n\r\n',
      403,
    ],
    ['without a URL', 'GET /mcp HTTP/1.1\r\nHost: localhost:PLAIN\r\n\r\n', 400],
    ['for a URL without a host', 'GET http:///mcp HTTP/1.1\r\nHost: localhost:PLAIN\r\n\r\n', 400],
    [
      'with https and without a tunnel',
      'GET https://localhost:SECURE/ HTTP/1.1\r\nHost: localhost:SECURE\r\n\r\n',
      403,
    ],
    ['with another Host', 'GET http://localhost:PLAIN/ HTTP/1.1\r\nHost: other.example\r\n\r\n', 421],
    ['without Host', 'GET http://localhost:PLAIN/ HTTP/1.0\r\n\r\n', 421],
    ['that is no HTTP', '\x80\x81garbage\r\n\r\n', 400],
    ['that begins as CONNECT does', 'CO NOTHING\r\n\r\n', 400],
    ['that only begins as CONNECT does', 'COPY /a HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['with two lengths', 'GET http://localhost:PLAIN/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ])('a request %s', async (_what, request, status) => {
    await using line = await setup();
    const text = request.replaceAll('SECURE', String(line.secure)).replaceAll('PLAIN', String(line.plain));
    const client = line.client().says(text);
    expect(await client.left).toBe('end');
    expect(client.heard).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(client.heard).toMatch(/Cannot pass on .* \[HTTP_REQUEST_REFUSED\]\n {2}\S/);
    expect(await line.trouble()).toContain('HTTP_REQUEST_REFUSED');
    expect(line.asked).toEqual([]);
  });

  it.each([
    ['garbage', '\x80\x81garbage\r\n\r\n', (at: string) => `name it with its scheme: --proxy http://${at}`],
    ['HTTP', get('localhost'), (at: string) => `name it with its scheme: --proxy http://${at}`],
  ])('%s in a tunnel that needs TLS', async (_what, text, next) => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    const wire = new Wire((await line.tunnel(authority)).socket);
    expect(await wire.says(text).left).toBe('end');
    expect(wire.heard).toContain(next(authority));
    expect(await line.trouble()).toContain('does not begin TLS');
    expect(line.asked).toEqual([]);
  });

  it('a broken handshake', async () => {
    await using line = await setup();
    const wire = new Wire((await line.tunnel(`localhost:${line.secure}`)).socket);
    wire.says('\x16\x03\x01\x00\x05garbage');
    await wire.left;
    expect(await line.trouble()).toContain('PROXY_CERTIFICATE_DISTRUSTED');
    expect(line.asked).toEqual([]);
  });

  it('TLS in a tunnel to a server that is named without', async () => {
    await using line = await setup();
    const authority = `localhost:${line.plain}`;
    const wire = await line.tunnel(authority);
    await expect(secured(wire, own.cert)).rejects.toThrow();
    expect(await line.trouble()).toContain(`Name the server with https: --proxy https://${authority}`);
  });

  it('a request of a tunnel for another server', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    for (const text of [
      get('other.example'),
      get(authority, 'https://other.example/mcp'),
      get(authority, `http://${authority}/mcp`),
      get(`localhost:${line.plain}`),
    ]) {
      const { wire } = await secured(await line.tunnel(authority), own.cert);
      expect(await wire.says(text).hears('REFUSED')).toContain('HTTP/1.1 421 ');
      expect(await line.trouble()).toContain('REFUSED');
    }
    expect(line.asked).toEqual([]);
  });

  it('a connection too many, and says so', async () => {
    await using line = await setup({ connectionsMax: 1 });
    const authority = `localhost:${line.plain}`;
    await line
      .client()
      .says(get(authority, `http://${authority}/`))
      .hears('plain answer');
    const other = line.client().says(get(authority, `http://${authority}/`));
    expect(await other.hears('HTTP_TOO_MANY_CONNECTIONS')).toContain('503');
  });

  it('a port that is taken', async () => {
    await using line = await setup();
    const again = startForwardProxy({
      hosts: parseNamedHosts(['a.example']),
      listen: { hostname: '127.0.0.1', port: line.port },
      certificate: certificates.own,
      clock: systemClock,
      exchange: () => () => {},
      trouble() {},
    });
    await expect(again).rejects.toMatchObject({ code: 'HTTP_CANNOT_LISTEN' });
  });
});

describe('a client that does not trust the certificate', () => {
  it('is said to, with the variables to set, and once', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    for (let n = 0; n < 2; n++) {
      const wire = await line.tunnel(authority);
      await expect(secured(wire, far.cert)).rejects.toThrow(/certificate/);
    }
    const said = await line.trouble();
    expect(said).toContain(`Cannot record a client of ${authority}: it may not trust the certificate`);
    expect(said).toMatch(/NODE_EXTRA_CA_CERTS .* SSL_CERT_FILE .* REQUESTS_CA_BUNDLE/);
    const { wire } = await secured(await line.tunnel(authority), own.cert);
    await wire.says(get(authority)).hears('secure answer');
    expect(line.troubles).toEqual([]);
  });

  it('is said to where it leaves only after the handshake', async () => {
    await using line = await setup();
    const { tls } = await secured(await line.tunnel(`localhost:${line.secure}`), own.cert);
    tls.end();
    expect(await line.trouble()).toContain('it closed the connection after the handshake, without a request');
  });

  it('is not suspected where a client has used it before', async () => {
    await using line = await setup();
    const authority = `localhost:${line.secure}`;
    const { wire } = await secured(await line.tunnel(authority), own.cert);
    await wire.says(get(authority)).hears('secure answer');
    const idle = await secured(await line.tunnel(authority), own.cert);
    idle.tls.end();
    await once(idle.tls, 'close');
    await wire.says(get(authority)).hears('secure answer');
    expect(line.troubles).toEqual([]);
  });
});

describe('a client that says nothing', () => {
  it.each([
    ['at all', ''],
    ['after a part of CONNECT', 'CONNECT loc'],
    ['after a part of a request', 'GET http://loc'],
  ])('%s is let go', async (_what, text) => {
    const clock = new ManualClock();
    await using line = await setup({ clock });
    const client = line.client();
    await once(client.socket, 'connect');
    client.says(text);
    // An answer to another client shows that the first was heard.
    const authority = `localhost:${line.plain}`;
    await line
      .client()
      .says(get(authority, `http://${authority}/`))
      .hears('plain answer');
    clock.advance(HEAD_WITHIN);
    expect(await client.left).toBe('end');
  });

  it('in its tunnel is let go', async () => {
    const clock = new ManualClock();
    await using line = await setup({ clock });
    const wire = await line.tunnel(`localhost:${line.secure}`);
    clock.advance(HEAD_WITHIN);
    expect(await wire.left).toBe('end');
  });
});
