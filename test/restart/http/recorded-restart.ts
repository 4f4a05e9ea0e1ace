import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { CassetteFile } from '../../../src/cassette/write/cassette-file.ts';
import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import { HttpRecorder } from '../../../src/record/http/http-traffic-recorder.ts';
import { RestartedHttpServer } from '../../../src/restart/http/restarted-http-server.ts';
import { startReverseProxy } from '../../../src/transports/http/proxy/reverse-proxy.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import type { WireMessage } from '../../e2e/session/peer.ts';
import { freeNames, temporaryFolder } from '../../support/cassette.ts';
import { ScriptedServer } from './scripted-server.ts';

const newFile = freeNames(temporaryFolder());

/** A recorder before a server that is restarted. */
export async function recorded(clock: Clock = systemClock) {
  const server = await new ScriptedServer().start();
  const upstream = parseUpstream(`http://127.0.0.1:${server.port}/mcp`);
  const file = newFile();
  const notes: string[] = [];
  const waiting = new Map<string, () => void>();
  const errors: string[] = [];
  const recorder = new HttpRecorder({
    open: () => new CassetteFile(file),
    clock: systemClock,
    gap: 'coarse',
    redactor: undefined,
    failed(error) {
      throw error;
    },
    upstream,
    idleMax: 1e9,
    holdBytesMax: 1e9,
    cut() {},
  });
  const restarted = new RestartedHttpServer({
    upstream,
    clock,
    say(text) {
      notes.push(text);
      waiting.get(text)?.();
    },
    notBack: ({ code }) => void errors.push(code),
  });
  const proxy = await startReverseProxy({
    upstream,
    listen: { hostname: '127.0.0.1', port: 0 },
    allowed: [],
    clock: systemClock,
    exchange: () => recorder.exchange(),
    trouble: ({ code }) => void errors.push(code),
    forward: (exchange) => restarted.forward(exchange),
  });
  return {
    server,
    notes,
    /** Resolves with the next note of this text. */
    noted: (text: string) => new Promise<void>((resolve) => waiting.set(text, resolve)),
    errors,
    restarted,
    file,
    client: () => new Client(`${proxy.origin}/mcp`),
    /** Ends the recorder. Returns the cassette. */
    async end() {
      recorder.end('complete');
      restarted.close();
      await proxy.close();
      await server.kill();
      return loadCassette(file);
    },
  };
}

/** A client that sends what a test tells it to. */
export class Client {
  readonly url: string;
  #id = 0;
  session: string | undefined;
  headers: Record<string, string> = {};

  constructor(url: string) {
    this.url = url;
  }

  async open(): Promise<this> {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const response = await this.post({ id: this.#id++, method: 'initialize', params });
    this.session = response.headers.get('mcp-session-id') ?? undefined;
    await response.text();
    await this.post({ method: 'notifications/initialized' });
    return this;
  }

  post(message: object, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: { ...this.#headers(), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  }

  call(name: string): Promise<Response> {
    return this.post({ id: this.#id++, method: 'tools/call', params: { name } });
  }

  async called(name: string): Promise<unknown> {
    return await (await this.call(name)).json();
  }

  async listen(lastEventId?: string): Promise<Events> {
    const resumes = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new Events(await fetch(this.url, { headers: { ...this.#headers(), ...resumes } }));
  }

  delete(): Promise<Response> {
    return fetch(this.url, { method: 'DELETE', headers: this.#headers() });
  }

  #headers(): Record<string, string> {
    const session: Record<string, string> = this.session === undefined ? {} : { 'mcp-session-id': this.session };
    return { accept: 'application/json, text/event-stream', ...session, ...this.headers };
  }
}

/** The events of a response. */
export class Events {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body!.getReader();
  }

  /** The next event, as its text. Undefined: the stream has ended. */
  async next(): Promise<string | undefined> {
    while (!this.#text.includes('\n\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return this.#text === '' ? undefined : this.#text;
      this.#text += Buffer.from(value).toString();
    }
    const end = this.#text.indexOf('\n\n');
    const text = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    return text;
  }

  /** The next message. */
  async message(): Promise<WireMessage> {
    const text = await this.next();
    return JSON.parse(/^data: (.*)$/m.exec(text ?? '')![1]!);
  }
}
