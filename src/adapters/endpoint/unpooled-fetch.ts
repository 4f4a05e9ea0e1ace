import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { BODILESS } from '../../mock/endpoint/fetch-handler.ts';

/**
 * Sends a request on an unshared connection, without redirects and compression. `fetch` shares connections per origin:
 * interceptors would attribute a later request to the client that opened the connection.
 * @throws TypeError like `fetch`, with the network error as its cause
 */
export async function unpooledFetch(request: Request): Promise<Response> {
  const { method, url, signal } = request;
  const body = Buffer.from(await request.arrayBuffer());
  const headers = new Headers(request.headers);
  for (const name of ['connection', 'transfer-encoding']) headers.delete(name);
  headers.set('accept-encoding', 'identity');
  if (body.length > 0) headers.set('content-length', String(body.length));
  const options = { agent: false, method, headers: Object.fromEntries(headers), signal };
  const ask = url.startsWith('https:') ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    ask(url, options, (answer) => resolve(responseOf(answer)))
      .on('error', (error) => reject(failed(error)))
      .end(body);
  });
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let n = 0; n < rawHeaders.length; n += 2) headers.append(rawHeaders[n]!, rawHeaders[n + 1]!);
  const isBodiless = BODILESS.includes(status);
  if (isBodiless) answer.resume();
  return new Response(isBodiless ? null : ReadableStream.from(bytesOf(answer)), {
    status,
    statusText,
    headers,
  });
}

async function* bytesOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer;
  } catch (error) {
    throw failed(error as NodeJS.ErrnoException);
  }
}

/** Returns an error like those of `fetch`, whose code distinguishes a closed connection from a reset one. */
function failed(cause: NodeJS.ErrnoException): Error {
  if (cause.code === 'ECONNRESET' && cause.syscall === undefined) cause.code = 'UND_ERR_SOCKET';
  return new TypeError('fetch failed', { cause });
}
