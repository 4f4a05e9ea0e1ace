import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Channel } from '../../src/channel/channel.ts';
import type { BytesFrame, OutputStream, WireFrame } from '../../src/channel/frame.ts';
import { relayChannels, type TapOrder } from '../../src/channel/relay-channels.ts';

/** One end of a connection in the hands of a test. */
class Hand implements Channel {
  readonly did: string[] = [];
  readonly name: string;
  full = false;
  say!: (frame: WireFrame) => void;
  drain: () => void = () => {};

  constructor(name: string) {
    this.name = name;
  }
  listen(receive: (frame: WireFrame) => void): void {
    this.say = receive;
  }
  send(frame: WireFrame): boolean {
    this.did.push(`hears ${frame.kind === 'bytes' ? String.fromCharCode(...frame.data) : frame.kind}`);
    return !this.full;
  }
  drained(stream: OutputStream, resume: () => void): void {
    this.drain = resume;
    this.did.push(`is awaited on ${stream}`);
  }
  pause(stream: OutputStream): void {
    this.did.push(`pauses ${stream}`);
  }
  resume(stream: OutputStream): void {
    this.did.push(`resumes ${stream}`);
  }
}

function bytes(text: string, on: OutputStream = 'protocol'): BytesFrame {
  return { kind: 'bytes', at: 0, from: 'client', on, data: new TextEncoder().encode(text) };
}

function joined() {
  const near = new Hand('near');
  const far = new Hand('far');
  const tapped: string[] = [];
  relayChannels(near, far, (frame) => tapped.push(`${frame.kind} after ${near.did.length + far.did.length}`));
  return { near, far, tapped };
}

it('what one says, the other hears, before the tap sees it', () => {
  const { near, far, tapped } = joined();
  near.say(bytes('a'));
  far.say(bytes('b'));
  expect([far.did, near.did]).toEqual([['hears a'], ['hears b']]);
  expect(tapped).toEqual(['bytes after 1', 'bytes after 2']);
});

it('passes on closes and exits too', () => {
  const { near, far } = joined();
  near.say({ kind: 'close', at: 0, from: 'client' });
  far.say({ kind: 'exit', at: 0, from: 'server', status: 0 });
  expect([far.did, near.did]).toEqual([['hears close'], ['hears exit']]);
});

it('a side that does not read makes the other wait, on that stream only, until it has read', () => {
  const { near, far } = joined();
  near.full = true;
  far.say(bytes('log', 'stderr'));
  expect(far.did).toEqual(['pauses stderr']);
  expect(near.did).toEqual(['hears log', 'is awaited on stderr']);
  near.say(bytes('ask'));
  expect(far.did).toEqual(['pauses stderr', 'hears ask']);
  near.drain();
  expect(far.did.at(-1)).toBe('resumes stderr');
});

it('each direction waits by itself, and so does standard error', () => {
  const { near, far } = joined();
  near.full = true;
  far.full = true;
  near.say(bytes('ask'));
  far.say(bytes('answer'));
  far.say(bytes('log', 'stderr'));
  expect(near.did).toEqual([
    'pauses protocol',
    'hears answer',
    'is awaited on protocol',
    'hears log',
    'is awaited on stderr',
  ]);
  expect(far.did).toEqual(['hears ask', 'is awaited on protocol', 'pauses protocol', 'pauses stderr']);
  far.drain();
  expect([near.did.at(-1), far.did.at(-1)]).toEqual(['resumes protocol', 'pauses stderr']);
  near.drain();
  expect(far.did.at(-1)).toBe('resumes stderr');
});

it('an end that does not fit is not waited for: nothing comes after it', () => {
  const { near, far } = joined();
  near.full = true;
  far.say({ kind: 'exit', at: 0, from: 'server', status: 1 });
  expect([near.did, far.did]).toEqual([['hears exit'], []]);
});

it('forwards every frame once, in order, the same object, and then shows it to the tap', () => {
  const frame = fc.record({
    near: fc.boolean(),
    text: fc.string(),
    on: fc.constantFrom<OutputStream>('protocol', 'stderr'),
  });
  fc.assert(
    fc.property(fc.array(frame), fc.boolean(), (frames, full) => {
      const order: string[] = [];
      const heard: WireFrame[] = [];
      const said: WireFrame[] = [];
      const end = (name: string): Hand =>
        Object.assign(new Hand(name), {
          send(one: WireFrame) {
            heard.push(one);
            order.push(`heard ${heard.length}`);
            return !full;
          },
        });
      const ends = [end('near'), end('far')] as const;
      let tapped = 0;
      relayChannels(...ends, () => order.push(`tapped ${++tapped}`));
      for (const { near, text, on } of frames) {
        const one = bytes(text, on);
        said.push(one);
        ends[near ? 0 : 1].say(one);
      }
      expect(heard.every((one, index) => one === said[index])).toBe(true);
      expect(order).toEqual(said.flatMap((_, index) => [`heard ${index + 1}`, `tapped ${index + 1}`]));
    }),
  );
});

it('lets the tap see a frame after it was forwarded, or before that', () => {
  const orderOf = (order?: TapOrder) => {
    const [near, far] = [new Hand('near'), new Hand('far')];
    const did: string[] = [];
    far.send = () => did.push('forwarded') > 0;
    relayChannels(near, far, () => did.push('tapped'), order);
    near.say(bytes('a'));
    return did;
  };
  expect(orderOf()).toEqual(['forwarded', 'tapped']);
  expect(orderOf('tap-first')).toEqual(['tapped', 'forwarded']);
});
