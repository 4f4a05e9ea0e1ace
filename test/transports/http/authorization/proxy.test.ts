import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { get, Wire, wires } from '../wire.ts';

/** An answer with a body. */
const answer = (body: string, status = '200 OK', type = 'application/json') =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const form = (port: number, target: string, body: string, ...headers: string[]) =>
  [
    `POST ${target} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/x-www-form-urlencoded',
    ...headers,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

const PRM = '/.well-known/oauth-protected-resource/mcp';

/** A server that the test speaks for at another origin. */
async function another() {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async wire() {
      const [socket] = await once(server, 'connection');
      return new Wire(socket);
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

type Line = Awaited<ReturnType<typeof wires>>;

/** Lets the server name `origin` as its authorization server. */
async function names(line: Line, origin: string): Promise<{ client: Wire; far: Wire; got: string }> {
  const client = line.client().says(get(line.port, PRM));
  const far = await line.far();
  await far.hears('\r\n\r\n');
  const resource = `http://127.0.0.1:${line.farPort}/mcp`;
  far.says(answer(JSON.stringify({ resource, authorization_servers: [origin] })));
  return { client, far, got: await client.hears(/\r\n\r\n\{.*\}$/) };
}

describe('§13: what the server says of its authorization', () => {
  it('names us, with the length that it then has', async () => {
    await using line = await wires();
    using other = await another();
    const { got } = await names(line, other.origin);
    const [head = '', body = ''] = got.split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({
      resource: `http://127.0.0.1:${line.port}/mcp`,
      authorization_servers: [`http://127.0.0.1:${line.port}/.mcp-record/${other.origin.replace('://', '/')}`],
    });
    expect(head).toMatch(new RegExp(`^HTTP/1.1 200 OK\\r\\n.*Content-Length: ${body.length}\\r\\n`, 's'));
  });

  it('is at once refused, where no client could use it', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port, PRM));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(answer('{"resource":"r","dpop_bound_access_tokens_required":true}'));
    expect(await client.hears('--header')).toMatch(/^HTTP\/1.1 502 .*DPoP/s);
    expect(line.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
  });

  it.each(['404 Not Found', '500 Oops'])(
    'passes as it is where it is %s: clients then ask elsewhere',
    async (status) => {
      await using line = await wires();
      const client = line.client().says(get(line.port, PRM));
      using far = await line.far();
      await far.hears('\r\n\r\n');
      far.says(answer('{"resource":"http://x/"}', status));
      expect(await client.hears('}')).toMatch(new RegExp(`^HTTP/1.1 ${status}.*\\{"resource":"http://x/"\\}$`, 's'));
    },
  );

  it('is metadata wherever a challenge says it lies', async () => {
    await using line = await wires();
    const origin = `http://127.0.0.1:${line.farPort}`;
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    const challenge = `WWW-Authenticate: Bearer resource_metadata="${origin}/about?me"\r\n`;
    far.says(answer('', '401 Unauthorized').replace('\r\n', `\r\n${challenge}`));
    expect(await client.hears('\r\n\r\n')).toContain(
      `WWW-Authenticate: Bearer resource_metadata="http://127.0.0.1:${line.port}/about?me"\r\n`,
    );
    expect(line.pieces).toContainEqual(
      expect.objectContaining({
        kind: 'response',
        headers: expect.arrayContaining([challenge.slice(18, -2)]),
      }),
    );
    client.says(get(line.port, '/about?me'));
    await far.hears('\r\n\r\n');
    far.says(answer(JSON.stringify({ resource: `${origin}/mcp` })));
    expect(await client.hears('}')).toContain(`{"resource":"http://127.0.0.1:${line.port}/mcp"}`);
  });

  it('that is cut short reaches the client as a connection that is cut short', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port, PRM));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(answer('{"resource":"r"}').slice(0, -1)).socket.end();
    expect(await client.left).toBe('end');
    expect(client.heard).toBe('');
    expect(await line.lost()).toBe('server fin');
  });

  it('that is endless is refused', async () => {
    await using line = await wires();
    const client = line.client().says(get(line.port, PRM));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(answer(`"${'x'.repeat(1_100_000)}"`));
    expect(await client.hears('--header')).toMatch(/^HTTP\/1.1 502 .*longer than 1048576 bytes/s);
  });
});

describe('§13: an authorization server that the server has named', () => {
  it('is asked by its own name, for a token for the server’s own resource, and nothing of it is recorded', async () => {
    await using line = await wires('/mcp', { authorization: 'Bearer planted' });
    using other = await another();
    const { client, far } = await names(line, other.origin);
    using _ = far;
    const front = `/.mcp-record/${other.origin.replace('://', '/')}`;
    const ours = encodeURIComponent(`http://127.0.0.1:${line.port}/mcp`);
    const theirs = encodeURIComponent(`http://127.0.0.1:${line.farPort}/mcp`);
    const pieces = line.pieces.length;
    const arriving = other.wire();
    client.says(form(line.port, `${front}/token`, `code=a%2Bb&resource=${ours}`, 'Authorization: Basic mine'));
    using wire = await arriving;
    const heard = await wire.hears(/\r\n\r\n.+$/);
    const body = `code=a%2Bb&resource=${theirs}`;
    expect(heard).toContain(`POST /token HTTP/1.1\r\nHost: ${new URL(other.origin).host}\r\n`);
    expect(heard).toContain(`Content-Length: ${body.length}\r\n`);
    expect(heard).toContain('Authorization: Basic mine\r\n');
    expect(heard).toMatch(new RegExp(`\\r\\n\\r\\n${body}$`));
    wire.says(answer('{"access_token":"t"}'));
    expect(await client.hears('}')).toMatch(/^HTTP\/1.1 200 OK.*\{"access_token":"t"\}$/s);
    expect(line.pieces).toHaveLength(pieces);
    expect(line.aside.map(({ piece }) => piece.kind)).toEqual(['request', 'data', 'end', 'response', 'data', 'end']);
    expect(line.aside[0]).toMatchObject({ origin: other.origin, piece: { method: 'POST', path: '/token' } });
    expect(String((line.aside[1]!.piece as { data: Uint8Array }).data)).toBe(body);
  });

  it('gets no cookie of this machine and sets none, and its answers are no pages of the recorder', async () => {
    await using line = await wires();
    using other = await another();
    const { client } = await names(line, other.origin);
    const arriving = other.wire();
    const front = `/.mcp-record/${other.origin.replace('://', '/')}`;
    client.says(get(line.port, `${front}/page`).replace('\r\n\r\n', '\r\nCookie: sid=of-another-program\r\n\r\n'));
    using wire = await arriving;
    expect(await wire.hears('\r\n\r\n')).not.toMatch(/^cookie:/im);
    const page = answer('<script>fetch("/mcp")</script>', '200 OK', 'text/html');
    wire.says(page.replace('\r\n', '\r\nSet-Cookie: sid=planted; Path=/\r\n'));
    const heard = await client.hears('</script>');
    expect(heard).not.toMatch(/^set-cookie:/im);
    expect(heard).toMatch(/^content-security-policy: sandbox\r$/im);
    expect(heard).toMatch(/^x-content-type-options: nosniff\r$/im);
  });

  it('shows its pages in the browser, at their real address', async () => {
    await using line = await wires();
    using other = await another();
    const { client } = await names(line, other.origin);
    const resource = encodeURIComponent(`http://localhost:${line.port}/mcp`);
    const front = `/.mcp-record/browser/${other.origin.replace('://', '/')}`;
    client.says(get(line.port, `${front}/authorize?state=s&resource=${resource}`));
    const theirs = encodeURIComponent(`http://127.0.0.1:${line.farPort}/mcp`);
    expect(await client.hears('\r\n\r\n')).toMatch(
      new RegExp(`^HTTP/1.1 302 .*\r\nlocation: ${other.origin}/authorize\\?state=s&resource=${theirs}\r\n`, 's'),
    );
  });

  it('gets no signature of our address: the client is told why', async () => {
    await using line = await wires();
    const client = line.client().says(form(line.port, '/token', 'client_assertion=eyJ'));
    expect(await client.hears('}')).toMatch(
      /^HTTP\/1.1 400 .*\{"error":"invalid_client","error_description":"mcp-record: the client signed/s,
    );
    expect(line.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
    expect(line.uninvited).toBe(0);
  });
});

it('a connection that an authorization server closes leaves the client its connection to the server', async () => {
  await using line = await wires();
  using other = await another();
  const { client, far } = await names(line, other.origin);
  using _ = far;
  const arriving = other.wire();
  client.says(get(line.port, `/.mcp-record/${other.origin.replace('://', '/')}/keys`));
  using authorizer = await arriving;
  await authorizer.hears('\r\n\r\n');
  authorizer.says(answer('{}'));
  await client.hears('{}');
  client.says(get(line.port));
  await far.hears('\r\n\r\n');
  far.says(answer('{"a":1}'));
  await client.hears('{"a":1}');

  authorizer.socket.end();
  expect(await authorizer.left).toBe('end');
  client.says(get(line.port));
  expect(await Promise.race([far.hears('\r\n\r\n'), client.left])).toContain('GET /mcp');
  far.says(answer('{"b":2}'));
  expect(await client.hears('{"b":2}')).toContain('200 OK');
});

it('an assertion that names us passes, and it is said that it will be refused', async () => {
  await using line = await wires();
  const assertion = (aud: string) => `e30.${Buffer.from(JSON.stringify({ aud })).toString('base64url')}.c2ln`;
  const body = (aud: string) => `grant_type=x&assertion=${assertion(aud)}`;
  const theirs = body('https://as.example');
  const client = line.client().says(form(line.port, '/token', theirs));
  using far = await line.far();
  await far.hears(theirs);
  far.says(answer('{}'));
  await client.hears('{}');
  expect(line.troubles).toEqual([]);
  const ours = body(`http://127.0.0.1:${line.port}/.mcp-record/https/as.example`);
  client.says(form(line.port, '/token', ours));
  await far.hears(ours);
  expect(line.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
});

it.each(['browser/http', 'http'])('§14: any other server is refused: /.mcp-record/%s', async (front) => {
  await using line = await wires();
  const client = line.client().says(get(line.port, `/.mcp-record/${front}/127.0.0.1:1/`));
  expect(await client.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /);
  expect(line.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
  expect(line.uninvited).toBe(0);
});

describe('a form', () => {
  it('that is for the server itself passes as it is', async () => {
    await using line = await wires();
    const body = `resource=http://127.0.0.1:${line.port}/mcp`;
    line.client().says(form(line.port, '/mcp', body));
    using far = await line.far();
    expect(await far.hears(body)).toContain('POST /mcp');
  });

  it('whose client leaves before it is whole reaches nobody', async () => {
    await using line = await wires();
    const client = line.client().says(form(line.port, '/token', 'code=1').slice(0, -1));
    client.socket.end();
    await client.left;
    expect(line.uninvited).toBe(0);
    expect(line.pieces).toEqual([]);
  });
});
