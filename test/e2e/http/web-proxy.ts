import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

/** A name that only the proxy can resolve: whoever reaches a server under it has asked the proxy. */
export const NAME = 'mcp.test';

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A web proxy that asks for a password, forwards plain requests and digs tunnels, and knows `NAME` to be this machine. */
export async function webProxy({ user = 'user', password = 'planted-password' } = {}) {
  const asked: string[] = [];
  const expected = `Basic ${btoa(`${user}:${password}`)}`;
  const forward: RequestListener = (from, to) => {
    const { method = '', url = '', headers } = from;
    asked.push(`${method} ${url}`);
    const { 'proxy-authorization': authorization, ...others } = headers;
    if (authorization !== expected) return void to.writeHead(407).end();
    const { port, pathname, search } = new URL(url);
    const far = request({ host: '127.0.0.1', port, method, path: pathname + search, headers: others });
    far.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(to);
    });
    to.on('close', () => far.destroy());
    far.on('error', () => to.destroy());
    from.pipe(far);
  };
  const server = createHttpServer(forward);
  server.on('connect', ({ url = '', headers }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.on('error', () => {});
    if (headers['proxy-authorization'] !== expected)
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const far = connect(Number(url.split(':')[1]), '127.0.0.1');
    far.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    far.pipe(socket).pipe(far);
  });
  const port = await listening(server);
  return {
    /** What it was asked, in order. */
    asked,
    url: `http://${user}:${password}@127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What speaks TLS under `NAME` before a plain server on `port`; `ca` is the file to trust. */
export async function secured(port: number, folder: string) {
  const [key, ca] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', ca, '-days', '2'];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(ca) }, (socket) => {
    const far = connect(port, '127.0.0.1');
    for (const one of [socket, far]) one.on('error', () => {});
    far.pipe(socket).pipe(far);
  });
  return { port: await listening(server), ca, [Symbol.dispose]: () => void server.close() };
}
