import type { Headers } from '../../../src/channel/frame.ts';
import { type Answer, type Exchange, SESSION, SSE_TYPE, type StreamEvent } from './exchange.ts';

/** A client that asks by a script, of a server that may issue other ids than those of the script. */
export interface Asking {
  /** Asks, and hears as much as the script has. What it heard, in the words of the script. */
  ask(exchange: Exchange): Promise<Answer>;
  /** Leaves every stream. */
  close(): void;
}

export function asking(url: string): Asking {
  /** What the script calls it → what this server does. */
  const live = new Map<string, string>();
  const scripted = new Map<string, string>();
  const bind = (name: string, value: string) => {
    live.set(name, value);
    scripted.set(value, name);
  };
  const open = new Set<AbortController>();

  return {
    async ask({ method, headers, body, leaves, answer }) {
      const leaving = new AbortController();
      open.add(leaving);
      const sent = Object.entries(headers).filter(([, value]) => value !== '');
      const response = await fetch(url, {
        method,
        headers: sent.map(([name, value]): [string, string] => [name, live.get(value) ?? value]),
        signal: leaving.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const session = response.headers.get('mcp-session-id');
      if (session !== null) bind(answer.headers?.['mcp-session-id'] ?? SESSION, session);
      const { status } = response;
      const heard: Answer = { status, ...headersOf(response, answer, scripted) };
      if (!response.headers.get('content-type')?.startsWith(SSE_TYPE)) {
        const text = await response.text();
        return answer.body === undefined ? heard : { ...heard, body: jsonOf(text) };
      }
      const { events = [], ending } = answer;
      const said = await eventsOf(response.body!, events.length, ending === 'stays' || leaves === true);
      if (leaves) leaving.abort();
      said.events.forEach(({ id }, at) => {
        const name = events[at]?.id;
        if (id !== undefined && name !== undefined) bind(name, id);
      });
      const named = said.events.map((event) =>
        event.id === undefined ? event : { ...event, id: scripted.get(event.id) ?? event.id },
      );
      return { ...heard, events: named, ...(said.ending && { ending: said.ending }) };
    },
    close() {
      for (const leaving of open) leaving.abort();
    },
  };
}

/** The headers that the script has. */
function headersOf(response: Response, { headers }: Answer, scripted: ReadonlyMap<string, string>) {
  if (headers === undefined) return {};
  const heard: Headers = {};
  for (const name of Object.keys(headers)) {
    const value = response.headers.get(name) ?? '';
    heard[name] = scripted.get(value) ?? value;
  }
  return { headers: heard };
}

interface Said extends Pick<Answer, 'ending'> {
  events: StreamEvent[];
}

/** The events of a stream: all, or the first `count` of one that stays. */
async function eventsOf(body: ReadableStream<Uint8Array>, count: number, stays: boolean): Promise<Said> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const events: StreamEvent[] = [];
  let text = '';
  while (!stays || events.length < count) {
    const piece = await reader.read().catch(() => undefined);
    if (piece === undefined) return { events, ending: 'breaks' };
    if (piece.done) return { events };
    text += decoder.decode(piece.value, { stream: true });
    const whole = text.split('\n\n');
    text = whole.pop()!;
    for (const one of whole) events.push(eventOf(one));
  }
  return { events, ending: 'stays' };
}

function eventOf(text: string): StreamEvent {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text)?.[1];
  const [id, retry, data = ''] = [field('id'), field('retry'), field('data')];
  return {
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry: Number(retry) }),
    ...(data !== '' && { data: JSON.parse(data) }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
