import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { get, Wire, wires } from '../wire.ts';

const CLIENT = 'http://localhost:3000/callback';

/** An authorization server that the test speaks for, as its server and its metadata name it. */
async function authorizationServer(metadata: Record<string, unknown> = {}) {
  const line = await wires('/mcp', { authorization: 'Bearer planted' });
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wire = async () => {
    const [socket] = await once(server, 'connection');
    return new Wire(socket);
  };
  const front = `http://127.0.0.1:${line.port}/.mcp-record/${origin.replace('://', '/')}`;
  const document = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    authorization_response_iss_parameter_supported: true,
    ...metadata,
  };

  const client = line.client().says(get(line.port, '/.well-known/oauth-protected-resource'));
  const far = await line.far();
  await far.hears('\r\n\r\n');
  far.says(json({ resource: `http://127.0.0.1:${line.farPort}/mcp`, authorization_servers: [origin] }));
  await client.hears('}');
  const arriving = wire();
  client.says(get(line.port, `/.well-known/oauth-authorization-server${new URL(front).pathname}`));
  const described = await arriving;
  await described.hears('\r\n\r\n');
  described.says(json(document));
  const got = JSON.parse((await client.hears(/\{.*\}$/)).split('\r\n\r\n').at(-1)!);
  return {
    line,
    origin,
    front,
    got,
    wire,
    close: () => void server.close(),
    async [Symbol.asyncDispose]() {
      server.close();
      described.socket.destroy();
      await line[Symbol.asyncDispose]();
    },
  };
}

const json = (value: unknown) => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const sentTo = (location: string, ...more: string[]) =>
  [`HTTP/1.1 303 See Other`, `Location: ${location}`, ...more, 'Content-Length: 0', '', ''].join('\r\n');

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const asked = { response_type: 'code', redirect_uri: CLIENT, state: 's' };
const path = (address: string) => address.replace(/^http:\/\/[^/]*/, '');
const targetOf = (head: string) => /^location: (.*)\r$/m.exec(head)?.[1];

type Server = Awaited<ReturnType<typeof authorizationServer>>;

/** A browser asks for the authorization endpoint; gives what the authorization server hears. */
async function browse({ line, got, wire }: Server, fields: Record<string, string>, ...headers: string[]) {
  const arriving = wire();
  const request = get(line.port, `${path(got.authorization_endpoint)}?${query(fields)}`);
  const browser = line.client().says([...request.split('\r\n').slice(0, -2), ...headers, '', ''].join('\r\n'));
  const server = await arriving;
  return { browser, server, heard: await server.hears('\r\n\r\n') };
}

describe('§13: a browser that asks to be authorized', () => {
  it('comes straight back, from who asks nobody, with the issuer that the client knows (RFC 9207)', async () => {
    await using as = await authorizationServer();
    expect(as.got).toMatchObject({ issuer: as.front, authorization_response_iss_parameter_supported: true });
    const resource = `http://127.0.0.1:${as.line.port}/mcp`;
    const { browser, server, heard } = await browse(as, { ...asked, resource });
    using _ = server;
    expect(heard).toContain(
      `GET /authorize?${query({ ...asked, resource: `http://127.0.0.1:${as.line.farPort}/mcp` })} HTTP/1.1\r\n`,
    );
    server.says(sentTo(`${CLIENT}?${query({ code: 'c', state: 's', iss: as.origin })}`));
    expect(targetOf(await browser.hears('\r\n\r\n'))).toBe(
      `${CLIENT}?${query({ code: 'c', state: 's', iss: as.front })}`,
    );
    const heads = as.line.aside.filter(({ piece }) => piece.kind === 'response').map(({ piece }) => piece);
    expect(heads.at(-1)).toMatchObject({
      status: 303,
      headers: expect.arrayContaining([`${CLIENT}?${query({ code: 'c', state: 's', iss: as.origin })}`]),
    });
    expect(as.line.troubles).toEqual([]);
  });

  it('says nothing there of what it knows of this machine, and learns no cookie', async () => {
    await using as = await authorizationServer();
    const own = ['Cookie: local=1', 'Authorization: Basic mine', 'Referer: http://localhost:9/', 'X-Else: 1'];
    const { browser, server, heard } = await browse(as, asked, ...own);
    using _ = server;
    expect(heard).not.toMatch(/cookie|authorization:|referer|planted/i);
    expect(heard).toContain('X-Else: 1\r\n');
    server.says(sentTo(`${CLIENT}?code=c`, 'Set-Cookie: session=1'));
    expect(await browser.hears('\r\n\r\n')).not.toMatch(/cookie/i);
  });

  it.each([
    ['a page', 'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 9\r\n\r\n<html>'],
    ['a page to log in', sentTo('/login')],
    ['an error', sentTo(`${CLIENT}?error=login_required`)],
    ['what leads to nobody', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'],
    ['a refusal', 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'],
  ])('goes there itself where it got %s, and who compares is warned', async (_, answer) => {
    await using as = await authorizationServer();
    const { browser, server } = await browse(as, asked);
    using __ = server;
    server.says(answer);
    const head = await browser.hears('\r\n\r\n');
    expect(targetOf(head)).toBe(`${as.origin}/authorize?${query(asked)}`);
    expect(head).not.toMatch(/cookie/i);
    expect(as.line.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
  });

  it('goes there itself where we do not get there', async () => {
    await using as = await authorizationServer({ authorization_endpoint: 'http://127.0.0.1:1/authorize' });
    const browser = as.line.client().says(get(as.line.port, `${path(as.got.authorization_endpoint)}?${query(asked)}`));
    expect(targetOf(await browser.hears('\r\n\r\n'))).toBe(`http://127.0.0.1:1/authorize?${query(asked)}`);
    expect(as.line.troubles).toEqual(['HTTP_UPSTREAM_UNREACHABLE', 'HTTP_CANNOT_AUTHORIZE']);
  });

  it.each([
    ['what was pushed', '/authorize', { ...asked, request_uri: 'urn:1' }],
    ['a page that is no authorization endpoint', '/logout', asked],
  ])('goes there at once for %s', async (_, page, fields) => {
    await using as = await authorizationServer({ authorization_response_iss_parameter_supported: false });
    const front = `/.mcp-record/browser/${as.origin.replace('://', '/')}`;
    const browser = as.line.client().says(get(as.line.port, `${front}${page}?${query(fields)}`));
    expect(targetOf(await browser.hears('\r\n\r\n'))).toBe(`${as.origin}${page}?${query(fields)}`);
    expect(as.line.troubles).toEqual([]);
  });

  it('takes a query along that has a question mark in it', async () => {
    await using as = await authorizationServer();
    const front = `/.mcp-record/browser/${as.origin.replace('://', '/')}`;
    const browser = as.line.client().says(get(as.line.port, `${front}/page?back=http://x/?y&state=s`));
    expect(targetOf(await browser.hears('\r\n\r\n'))).toBe(`${as.origin}/page?back=http://x/?y&state=s`);
  });
});
