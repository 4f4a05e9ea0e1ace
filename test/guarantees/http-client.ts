import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { type Milliseconds, systemClock } from '../../src/kernel/clock.ts';
import { isRequest, isResponse } from '../../src/protocol/message.ts';
import { requestHeaders, type Standing, withRecorded } from '../../src/transports/http/mcp-headers/request-headers.ts';

/** An exchange that stays open all through a session must outlast it, also on a busy machine. */
const PATIENCE_OF_EXCHANGE: Milliseconds = 15_000;

/**
 * Plays the client of a cassette of HTTP to `url`, exchange by exchange, with the headers, streams and event ids that the cassette has:
 * also a client that does what it should not. Before it goes on it waits for what the cassette has until there: the ends of
 * exchanges, the first event of a stream that it leaves, a request of the server that it answers.
 */
export async function playedOverHttp(live: string, url: string): Promise<void> {
  const frames = loadCassette(live).events.map(({ frame }) => frame);
  const standing: Standing = { revision: '2025-11-25' };
  const heard = new Heard();
  const exchanges = new Map<number | undefined, Exchange>();
  for (const [place, frame] of frames.entries()) {
    if (frame.from !== 'client') continue;
    for (const { last, over } of exchanges.values()) if (last < place) await over;
    const left = frame.kind === 'close' ? exchanges.get(frame.stream) : undefined;
    await left?.begun;
    left?.leave();
    if (frame.kind !== 'message' && frame.kind !== 'open') continue;
    await heard.until(requestAnsweredBy(frame, frames));
    const last = frames.findLastIndex(({ from, stream }) => from === 'server' && stream === frame.stream);
    const exchange = begin({ url, request: asked(frame, standing), heard, standing });
    exchanges.set(frame.stream, { ...exchange, last: isListening(frame) ? frames.length : last });
    if (isListening(frame)) await exchange.begun;
  }
  for (const { last, over } of exchanges.values()) if (last < frames.length) await over;
  for (const { leave } of exchanges.values()) leave();
  await Promise.all([...exchanges.values()].map(({ over }) => over));
}

interface Exchange {
  /** There is a head, and of a call with a stream its first event. */
  begun: Promise<void>;
  over: Promise<void>;
  leave(): void;
  /** Place of the last frame that the cassette has of it; that of no frame where it stays open. */
  last: number;
}

interface Beginning {
  url: string;
  request: RequestInit;
  heard: Heard;
  standing: Standing;
}

function begin({ url, request, heard, standing }: Beginning): Omit<Exchange, 'last'> {
  const aborter = new AbortController();
  // Nothing answers a client that does not do its part.
  const stopWaiting = systemClock.after(PATIENCE_OF_EXCHANGE, () => aborter.abort());
  let begins = () => {};
  const begun = new Promise<void>((resolve) => {
    begins = resolve;
  });
  const read = async () => {
    const response = await fetch(url, { ...request, signal: aborter.signal });
    standing.session ??= response.headers.get('mcp-session-id') ?? undefined;
    if (request.method === 'GET') begins();
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      heard.add(decoder.decode(piece, { stream: true }));
      begins();
    }
  };
  const over = read()
    .catch((error) => {
      if (!aborter.signal.aborted) throw error;
    })
    .finally(stopWaiting);
  return { begun: Promise.race([begun, over]), over, leave: () => aborter.abort() };
}

/** All that the server has said, on whatever stream. */
class Heard {
  #text = '';
  #waiting: (() => void)[] = [];

  add(text: string): void {
    this.#text += text;
    for (const look of this.#waiting.splice(0)) look();
  }

  /** Waits until the server has said `words`. */
  async until(words: string): Promise<void> {
    while (!this.#text.includes(words)) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

type Asking = Extract<Frame, { kind: 'message' | 'open' }>;

function asked(frame: Asking, standing: Standing): RequestInit {
  const { headers = {} } = frame;
  if (frame.kind === 'message') {
    const posted = { method: 'POST', message: frame.json.value };
    return {
      method: 'POST',
      headers: withRecorded(requestHeaders(posted, standing), headers),
      body: frame.json.text,
    };
  }
  const { method, resumes } = frame;
  return { method, headers: withRecorded(requestHeaders({ method, resumes }, standing), headers) };
}

/** A stream that stays open while the client goes on. One that resumes a call ends with its answer. */
function isListening(frame: Asking): boolean {
  return frame.kind === 'open' && frame.method === 'GET' && frame.resumes === undefined;
}

/** The method of the server's request that a frame answers; empty where it answers none. */
function requestAnsweredBy(frame: Asking, frames: readonly Frame[]): string {
  const answer = frame.kind === 'message' ? frame.json.value : undefined;
  if (!isResponse(answer)) return '';
  const messages = frames.flatMap((one) => (one.kind === 'message' && one.from === 'server' ? [one.json.value] : []));
  const request = messages.find((message) => isRequest(message) && message.id === answer.id);
  return isRequest(request) ? request.method : '';
}
