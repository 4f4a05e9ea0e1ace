import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type HttpProxy, type HttpProxyOptions, httpFaultProxy } from '../../src/fault-proxy/http-fault-proxy.ts';
import type { Fired } from '../../src/faults/engine/fault-injector.ts';
import type { Fault } from '../../src/faults/fault.ts';
import type { Rule } from '../../src/faults/rules/fault-rule.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { parseUpstream } from '../../src/transports/http/upstream/parse-upstream.ts';
import { Wire } from '../transports/http/wire.ts';
import { Later } from './later.ts';
import { ANSWER, type Far, PROGRESS } from './servers.ts';

/** A proxy before `far`, on a clock that stands still. */
export async function faulty(
  far: Far,
  rules: readonly (Rule | Fault)[],
  seed = 1,
  limits: Pick<HttpProxyOptions, 'bodyMax' | 'requestWithin'> = {},
) {
  const clock = new ManualClock();
  const fired = new Later<Fired>();
  const troubles: string[] = [];
  const proxy: HttpProxy = await httpFaultProxy({
    upstream: parseUpstream(`${far.origin}/mcp`),
    listen: { hostname: '127.0.0.1', port: 0 },
    clock,
    ...limits,
    faults: {
      rules: rules.map((rule) => ('fault' in rule ? rule : { fault: rule })),
      seed,
      fired: (one) => fired.add(one),
    },
    trouble: (error) => void troubles.push(error.message),
  });
  return {
    proxy,
    clock,
    fired: fired.all,
    troubles,
    url: `${proxy.origin}/mcp`,
    /** Waits until so many rules have fired. */
    firing: async (count: number): Promise<void> => void (await fired.having(count)),
    /** Waits until it listens, once more. */
    async listening(): Promise<void> {
      for (let code: string | undefined = ''; code !== undefined; ) {
        const socket = connect(Number(new URL(proxy.origin).port), '127.0.0.1');
        const failed = once(socket, 'error').then(([error]) => (error as NodeJS.ErrnoException).code ?? '');
        code = await Promise.race([failed, once(socket, 'connect').then(() => undefined)]);
        failed.catch(() => {});
        socket.destroy();
      }
    },
    /** Lets time pass until `end`. */
    async passing(end: Promise<unknown>): Promise<void> {
      let isOver = false;
      void end.then(() => {
        isOver = true;
      });
      while (!isOver) {
        clock.advance(5);
        await turn();
      }
    },
    /** Waits until nothing has moved for many turns. */
    async idle(): Promise<void> {
      for (let turns = 0; turns < 2_000; turns++) await turn();
    },
    client: (): Wire => new Wire(connect(Number(new URL(proxy.origin).port), '127.0.0.1')),
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}

/** Waits until a client has heard exactly this, in short. */
export async function hearing(wire: Wire, wanted: string): Promise<void> {
  const left = wire.left.then((how) => ({ how }));
  while (short(shape(wire.heard)) !== wanted) {
    const more = await Promise.race([once(wire.socket, 'data'), left]);
    if ('how' in more) throw new Error(`It heard ${short(shape(wire.heard))} and then ${more.how}.`);
  }
}

const ACCEPT = 'Accept: application/json, text/event-stream';

/** A POST, after whose answer the connection ends. */
export function post(body: string, ...headers: string[]): string {
  const length = Buffer.byteLength(body);
  const all = ['Host: 127.0.0.1', ACCEPT, 'Content-Type: application/json', `Content-Length: ${length}`, ...headers];
  return `POST /mcp HTTP/1.1\r\n${all.join('\r\n')}\r\nConnection: close\r\n\r\n${Buffer.from(body).toString('latin1')}`;
}

/** What a raw client heard, and how the connection ended, in short: `200 json 47/47 {…} end`. */
export async function observed(wire: Wire): Promise<string> {
  const left = await wire.left;
  return `${short(shape(wire.heard))} ${left}`.trim();
}

/** Bytes as text: the status, the framing, and the body with each chunk in «», and a point where the last one says so. */
export function shape(heard: string): string {
  const at = heard.indexOf('\r\n\r\n');
  if (!heard.startsWith('HTTP/1.1 ') || at < 0) return heard === '' ? 'nothing' : JSON.stringify(heard);
  const [status = '', ...fields] = heard.slice(0, at).split('\r\n');
  const field = (name: string) =>
    fields.find((one) => one.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
  const type =
    { 'application/json': 'json', 'text/event-stream': 'sse' }[field('content-type') ?? ''] ?? field('content-type');
  const body = heard.slice(at + 4);
  const length = field('content-length');
  const framed = length === undefined ? chunks(body) : `${body.length}/${length} ${body}`.trim();
  return [status.split(' ')[1], type, framed].filter(Boolean).join(' ');
}

function chunks(body: string): string {
  const seen: string[] = [];
  for (let at = 0; at < body.length; ) {
    const [head = '', size = ''] = /^([\da-f]+)\r\n/.exec(body.slice(at)) ?? [];
    const length = Number.parseInt(size, 16);
    if (head === '') return [...seen, JSON.stringify(body.slice(at))].join(' ');
    if (length === 0) return [...seen, '.'].join(' ');
    seen.push(`«${body.slice(at + head.length, at + head.length + length)}»`);
    at += head.length + length + 2;
  }
  return seen.join(' ');
}

/** The messages by their names, and the ends of lines to be seen. */
export function short(text: string): string {
  return text
    .replaceAll(latin1(ANSWER), 'ANSWER')
    .replaceAll(PROGRESS, 'PROGRESS')
    .replaceAll('\n', '⏎')
    .replaceAll('\r', '');
}

/** Bytes as `latin1` shows them. */
export const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
