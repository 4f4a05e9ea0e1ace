import { readFileSync } from 'node:fs';
import {
  Client as Client2,
  StreamableHTTPClientTransport as StreamableHttp2,
  type Transport as Transport2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type Journal, mockServer } from '../../src/adapters/testing.ts';
import { correlateEntries } from '../../src/cassette/correlate/correlate-entries.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { eventsToEntries, type SessionEntry } from '../../src/cassette/split-batches-into-entries.ts';
import { canonicalJson } from '../../src/match/canonical-json.ts';
import { isNotification, isObject, isRequest, type Params, paramsOf, resultOf } from '../../src/protocol/message.ts';
import { META, metaOf } from '../../src/protocol/meta.ts';
import { stripHttp } from '../../src/replay/prepare/strip-http.ts';

/** A call of a cassette, with its answer then and in the replay. */
export interface ReplayedCall {
  method: string;
  recorded: unknown;
  replayed: unknown;
}

export interface SdkReplay {
  calls: ReplayedCall[];
  /** Findings of the mock server, as text. */
  findings: string[];
}

/** Results as they came: the library's own schemas would leave out what they do not know. */
const asItCame = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;

interface AnyClient {
  request(
    method: string,
    params: Params | undefined,
    options: { signal: AbortSignal; onprogress?: () => void },
  ): Promise<unknown>;
  notify(method: string, params?: Params): Promise<void>;
  close(): Promise<void>;
}

/** What the recorded client answered, by question. */
type Answer = (method: string, params: unknown) => Record<string, unknown>;

/** Plays a cassette with a mock server to clients of the official SDK, which ask all that the recorded client asked, in its order. */
export async function sdkReplay(file: string, over: 'memory' | 'http' = 'memory'): Promise<SdkReplay> {
  const server = over === 'http' ? await mockServer({ cassette: file, over }) : await mockServer({ cassette: file });
  const entries = eventsToEntries(stripHttp(loadCassette(file)).events);
  const calls: ReplayedCall[] = [];
  for (const session of sessionsOf(entries)) {
    const transport = 'url' in server ? httpTransport(file, server.url) : server.transport;
    calls.push(...(await playSession({ session, entries, transport, journal: server.journal })));
  }
  const { findings } = await server.finish();
  return { calls, findings: findings.map(({ kind, text }) => `${kind}: ${text}`) };
}

/** A transport of the SDK that the client of this cassette is played with. */
export function httpTransport(file: string, url: string): unknown {
  const isModern = !readFileSync(file, 'utf8').includes('method: initialize');
  return new (isModern ? StreamableHttp2 : StreamableHTTPClientTransport)(new URL(url));
}

/** Over HTTP each `initialize` begins a session. */
function sessionsOf(entries: readonly SessionEntry[]): SessionEntry[][] {
  const starts = entries
    .filter((entry) => entry.frame.stream !== undefined && isInitialize(entry))
    .map(({ index }) => index);
  const bounds = [0, ...starts.slice(1), entries.length];
  return bounds.slice(1).map((end, n) => entries.slice(bounds[n], end));
}

const isInitialize = ({ message }: SessionEntry) => isRequest(message) && message.method === 'initialize';

interface PlayedSession {
  session: readonly SessionEntry[];
  /** Those of all sessions. */
  entries: readonly SessionEntry[];
  transport: unknown;
  journal: Journal;
}

async function playSession({ session, entries, transport, journal }: PlayedSession): Promise<ReplayedCall[]> {
  const {
    answerOf,
    cancelOf,
    cancelledRequestOf: cancelledBy,
    progressOf: progressBy,
    requestOf,
  } = correlateEntries(entries);
  const calls: ReplayedCall[] = [];
  const answers = new Map<number, Promise<unknown>>();
  /** Cancel a request that has reached the server, and wait until the cancel has. */
  const aborts = new Map<number, () => Promise<void>>();
  const isModern = !session.some(isInitialize);
  const client = await connect(session, answersOf(entries, answerOf), transport);
  for (const { index, from, message, json } of session) {
    // What the recorded client had heard, this one waits for.
    if (from === 'server') {
      const request = requestOf.get(index);
      await answers.get(request ?? -1);
      continue;
    }
    if (isNotification(message)) {
      if (message.method === 'notifications/cancelled') await aborts.get(cancelledBy.get(index) ?? -1)?.();
      else if (message.method !== 'notifications/initialized')
        await client.notify(message.method, message.params as Params);
    }
    if (!isRequest(message) || HANDSHAKE.has(message.method)) continue;
    const params = paramsOf(JSON.parse(json!.text));
    // A client of the SDK repeats a request that wants input by itself.
    if ('inputResponses' in params) continue;
    const last = lastOf(index, entries, answerOf);
    const { _meta, ...own } = params;
    const meta = isObject(_meta) ? ownMeta(_meta) : {};
    const asked = Object.keys(meta).length > 0 ? { ...own, _meta: meta } : own;
    const abort = new AbortController();
    const progress = new Progress();
    const count = journal.requests(message.method, own).length + 1;
    aborts.set(index, async () => {
      await journal.waitFor(message.method, { params: own, count });
      await progress.of(progressBy.get(index)?.filter((one) => one < cancelOf.get(index)!).length ?? 0);
      const cancels = journal.notifications('notifications/cancelled').length;
      abort.abort('asked to');
      // From 2026-07-28 on a client may close the stream instead. What it asks then, on a connection of its own, comes later.
      if (isModern) await client.request('server/discover', undefined, { signal: new AbortController().signal });
      else await journal.waitFor('notifications/cancelled', { count: cancels + 1 });
    });
    const asks = isObject(_meta) && 'progressToken' in _meta;
    const call = client
      .request(message.method, message.params === undefined ? undefined : asked, {
        signal: abort.signal,
        ...(asks && { onprogress: () => progress.heard() }),
      })
      .then(
        (result) => ({ result }),
        (error) => ({ error: { code: error.code, message: String(error.message).replace(/^MCP error -?\d+: /, '') } }),
      );
    answers.set(last, call);
    void call.then((replayed) => {
      const answer = entries[answerOf.get(last) ?? -1]?.message as Params | undefined;
      if (answer === undefined) return;
      const { code, message: text } = (answer.error ?? {}) as Params;
      const recorded = answer.error ? { error: { code, message: text } } : { result: asClientsSee(answer.result) };
      calls.push({ method: message.method, recorded, replayed });
    });
  }
  await client.close();
  await Promise.all(answers.values());
  return calls;
}

/** The progress that a client has heard of a call. */
class Progress {
  #count = 0;
  #waits: () => void = () => {};

  heard(): void {
    this.#count++;
    this.#waits();
  }

  async of(count: number): Promise<void> {
    while (this.#count < count)
      await new Promise<void>((resolve) => {
        this.#waits = resolve;
      });
  }
}

/** Client 2.x keeps to itself that a result is complete. */
function asClientsSee(result: unknown): unknown {
  const { resultType, ...rest } = isObject(result) ? result : {};
  return resultType === 'complete' ? rest : result;
}

const HANDSHAKE = new Set(['initialize', 'server/discover', 'ping']);

/** What a client of the SDK does not put into `_meta` itself. */
function ownMeta(meta: Params): Params {
  return Object.fromEntries(
    Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith('io.modelcontextprotocol/')),
  );
}

/** The last of a chain of requests that wanted input. */
function lastOf(
  index: number,
  entries: readonly SessionEntry[],
  answerOf: { get(index: number): number | undefined },
): number {
  const answer = answerOf.get(index);
  const { resultType, requestState } = resultOf(entries[answer ?? -1]?.message);
  if (resultType !== 'input_required') return index;
  const retry = entries.find(
    (entry) =>
      entry.index > answer! &&
      isRequest(entry.message) &&
      paramsOf(entry.message).requestState === requestState &&
      'inputResponses' in paramsOf(entry.message),
  );
  return retry ? lastOf(retry.index, entries, answerOf) : index;
}

function answersOf(entries: readonly SessionEntry[], answerOf: { get(index: number): number | undefined }): Answer {
  const known: { key: string; method: string; result: Record<string, unknown> }[] = [];
  const add = (method: string, params: unknown, result: unknown) =>
    known.push({ key: keyOf(method, params), method, result: result as Record<string, unknown> });
  for (const { index, from, message } of entries) {
    if (from === 'server' && isRequest(message)) {
      const answer = entries[answerOf.get(index) ?? -1];
      if (answer) add(message.method, message.params, resultOf(answer.message));
    }
    const { inputRequests } = resultOf(message);
    if (!isObject(inputRequests)) continue;
    for (const later of entries.slice(index)) {
      const { inputResponses } = paramsOf(later.message);
      for (const [name, request] of Object.entries(inputRequests as Record<string, Params>))
        if (isObject(inputResponses) && name in inputResponses)
          add(String(request.method), request.params, inputResponses[name]);
    }
  }
  return (method, params) => {
    const at = known.findIndex(({ key }) => key === keyOf(method, params));
    const found = at >= 0 ? known.splice(at, 1)[0] : known.find((one) => one.method === method);
    if (found === undefined) throw new Error(`nobody answered ${method}`);
    return found.result;
  };
}

function keyOf(method: string, params: unknown): string {
  const { _meta, ...own } = isObject(params) ? params : {};
  return `${method} ${canonicalJson(own)}`;
}

async function connect(session: readonly SessionEntry[], answer: Answer, transport: unknown): Promise<AnyClient> {
  const opening = session.find(isInitialize);
  const first = session.find(({ from, message }) => from === 'client' && isRequest(message));
  const meta = metaOf(paramsOf(first?.message));
  if (opening === undefined && META.protocolVersion in meta) {
    const client = new Client2((meta[META.clientInfo] ?? { name: 'test', version: '1' }) as never, {
      capabilities: meta[META.clientCapabilities] as never,
      versionNegotiation: { mode: { pin: meta[META.protocolVersion] as '2026-07-28' } },
    });
    for (const method of ['roots/list', 'sampling/createMessage', 'elicitation/create'] as const)
      try {
        client.setRequestHandler(method, (({ params }: { params: unknown }) => answer(method, params)) as never);
      } catch {
        // The recorded client did not offer it.
      }
    await client.connect(transport as Transport2);
    return {
      request: (method, params, options) =>
        client.request({ method, ...(params && { params }) } as never, asItCame, options),
      notify: (method, params) => client.notification({ method, ...(params && { params }) } as never),
      close: () => client.close(),
    };
  }
  const { clientInfo, capabilities } = paramsOf(opening?.message) as { clientInfo: never; capabilities: never };
  const client = new Client(clientInfo ?? { name: 'test', version: '1' }, { capabilities: capabilities ?? {} });
  client.fallbackRequestHandler = async ({ method, params }) => answer(method, params) as never;
  await client.connect(transport as Transport);
  return {
    request: (method, params, options) =>
      client.request({ method, ...(params && { params }) } as never, ResultSchema, options),
    notify: (method, params) => client.notification({ method, ...(params && { params }) } as never),
    async close() {
      if (transport instanceof StreamableHTTPClientTransport) await transport.terminateSession();
      await client.close();
    },
  };
}
