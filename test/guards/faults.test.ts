import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { WireFrame } from '../../src/channel/frame.ts';
import { encodeHttp } from '../../src/fault-proxy/http/frame-codec.ts';
import { ResponseToFrames } from '../../src/fault-proxy/http/response-to-frames.ts';
import { SwitchableFaultInjector } from '../../src/faults/engine/switchable-fault-injector.ts';
import { parseShortRule } from '../../src/faults/rules/parse-fault-rules.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { BodyMemory } from '../../src/transports/http/http1/body-memory.ts';
import { faulty, post } from '../scenario/faulty.ts';
import { CALL, rawServer } from '../scenario/servers.ts';
import { workOf } from './work.ts';

const LOG = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
const EVENT = `data: ${LOG}\n\n`;
const COUNT = 1_000;

/** A stream of events, on its way through a rule: all that came at once, until it has arrived. */
function stream(rule: string) {
  const clock = new ManualClock();
  let arrived = 0;
  const send = (frame: WireFrame) => {
    arrived += encodeHttp(frame).length;
  };
  const traffic = new SwitchableFaultInjector({ seed: 1, clock, transport: 'http', encode: encodeHttp, send });
  traffic.use([parseShortRule(rule, 'http')]);
  const answer = new ResponseToFrames({
    isStream: true,
    said: () => ({ at: clock.now(), from: 'server', stream: 1 }),
    rewrite: (uri) => uri,
    push: (frame) => traffic.push(frame),
    passesOver: (message, event) => {
      const passes = traffic.passesOver('server', message, 1);
      if (passes) arrived += event.length;
      return passes;
    },
    memory: new BodyMemory(1e6),
    tooLong: () => {},
  });
  return (count: number) => {
    const before = arrived;
    answer.data(Buffer.from(EVENT.repeat(count)));
    clock.advance(50);
    expect(arrived - before).toBe(count * EVENT.length);
  };
}

describe.each([
  ['latency:x/y:delay=1', 60],
  ['cut:tools/call', 60],
  ['latency::delay=50', 146],
])('an event under %s', (rule, blocksMax) => {
  it(`is at most ${blocksMax} blocks of code that run`, async () => {
    const say = stream(rule);
    say(1);
    expect((await workOf(() => say(COUNT))) / COUNT).toBeLessThan(blocksMax);
  });

  it('is parsed once, and joined with nothing', () => {
    const say = stream(rule);
    const parse = vi.spyOn(JSON, 'parse');
    const join = vi.spyOn(Buffer, 'concat');
    try {
      say(COUNT);
      expect(parse).toHaveBeenCalledTimes(COUNT);
      expect(join).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
      join.mockRestore();
    }
  });
});

it('events that came together leave with few writes, though each is a chunk of its own', async () => {
  await using far = await rawServer();
  await using line = await faulty(far, [parseShortRule('latency:x/y:delay=1', 'http')]);
  using client = line.client().says(post(CALL));
  using server = await far.wire();
  await server.hears(CALL);
  const chunk = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n`;
  const write = vi.spyOn(Socket.prototype, 'write');
  try {
    server.says(`HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n${EVENT.repeat(COUNT)}data: last\n\n`);
    const heard = await client.hears('data: last');
    expect(heard.split(chunk).length - 1).toBe(COUNT);
    expect(write.mock.calls.length).toBeLessThan(COUNT / 10);
  } finally {
    write.mockRestore();
  }
});
