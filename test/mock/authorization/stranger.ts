import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { BACK } from './application.ts';

export const VERIFIER = 'a-verifier-that-is-long-enough-for-the-specification';
export const CHALLENGE: string = createHash('sha256').update(VERIFIER).digest('base64url');

/** What is asked for by whoever does everything right. */
export const RIGHT = {
  response_type: 'code',
  client_id: 'stranger',
  redirect_uri: BACK,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'some state',
};

type Parameters = Record<string, string | undefined>;

/** The body of a JSON answer, as its reader looks at it. */
// biome-ignore lint/suspicious/noExplicitAny: each test reads what it expects.
export type Body = any;

/** Who talks to a mock authorization server by hand, and says what nobody else would. */
export class Stranger {
  readonly url: string;
  readonly origin: string;

  constructor(url: string) {
    this.url = url;
    this.origin = new URL(url).origin;
  }

  get(path: string): Promise<Response> {
    return fetch(this.origin + path, { redirect: 'manual' });
  }

  /** Where the browser is sent, or what it is shown. */
  async authorize(changed: Parameters = {}): Promise<{ back?: URL; status: number; body: string }> {
    const response = await this.get(`/authorize?${form({ ...RIGHT, resource: this.url, ...changed })}`);
    const location = response.headers.get('location');
    return {
      ...(location !== null && { back: new URL(location) }),
      status: response.status,
      body: await response.text(),
    };
  }

  async code(changed: Parameters = {}): Promise<string> {
    const { back, body } = await this.authorize(changed);
    const code = back?.searchParams.get('code');
    if (!code) throw new Error(`There is no code: ${back ?? body}`);
    return code;
  }

  async token(parameters: Parameters, headers: Record<string, string> = {}): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${this.origin}/token`, { method: 'POST', body: form(parameters), headers });
    return { status: response.status, body: await response.json() };
  }

  exchange(code: string, changed: Parameters = {}): Promise<{ status: number; body: Body }> {
    return this.token({
      grant_type: 'authorization_code',
      code,
      client_id: RIGHT.client_id,
      redirect_uri: RIGHT.redirect_uri,
      code_verifier: VERIFIER,
      resource: this.url,
      ...changed,
    });
  }

  refresh(token: string, changed: Parameters = {}): Promise<{ status: number; body: Body }> {
    const right = { grant_type: 'refresh_token', refresh_token: token, client_id: RIGHT.client_id, resource: this.url };
    return this.token({ ...right, ...changed });
  }

  /** An access token and a refresh token, got in the right way. */
  async tokens(changed: Parameters = {}): Promise<{ access_token: string; refresh_token: string; scope: string }> {
    const { resource = this.url } = changed;
    return (await this.exchange(await this.code(changed), { resource })).body;
  }

  async register(metadata: unknown): Promise<{ status: number; body: Body }> {
    const body = typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
    const response = await fetch(`${this.origin}/register`, { method: 'POST', body });
    return { status: response.status, body: await response.json() };
  }

  /** Asks the MCP server something. */
  async ask(
    token: string | undefined,
    message: object = INITIALIZE,
  ): Promise<{ status: number; challenge: string | null }> {
    const response = await fetch(this.url, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    await response.body?.cancel();
    return { status: response.status, challenge: response.headers.get('www-authenticate') };
  }

  /** The status of a request with headers that `fetch` does not let us write. */
  statusOf(path: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = request(this.origin + path, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.once('error', reject);
      asked.end();
    });
  }
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'stranger', version: '1' } },
};

function form(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined);
  return new URLSearchParams(given);
}
