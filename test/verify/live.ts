import type { Cassette } from '../../src/cassette/cassette.ts';
import type { Channel } from '../../src/channel/channel.ts';
import type { Frame, WireFrame } from '../../src/channel/frame.ts';
import { ManualClock } from '../../src/kernel/manual-clock.ts';
import { liveServerOverChannel } from '../../src/verify/run/live-server-over-channel.ts';
import {
  type RunRecordedClientOptions,
  runRecordedClient,
  type ServerRun,
} from '../../src/verify/run/run-recorded-client.ts';
import { exits } from '../support/conversation.ts';

/** What a live server says instead of a recorded message of the server: objects as messages, text as lines, frames as they are. */
export type Edit = (recorded: Said) => readonly unknown[];

/** A message as tests look at it. */
export interface Said {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

export interface LiveOptions extends Partial<RunRecordedClientOptions> {
  /** What makes the live server exit: the end of its input, or only a signal, or nothing. */
  endsOn?: 'close' | 'SIGTERM' | 'nothing';
}

export interface Live {
  driven: ServerRun;
  /** What the recorded client said, parsed; and `close` or a signal. */
  heard: unknown[];
}

const STEP = 50;
const STEPS_MAX = 10_000;

/**
 * Plays the client of `cassette` to a server that says, after each message of the client, what followed that in the cassette,
 * as `edit` would have it; and exits when its input ends. On a clock that takes no time.
 */
export async function live(
  cassette: Cassette,
  edit: Edit = (recorded) => [recorded],
  { endsOn = 'close', ...options }: LiveOptions = {},
): Promise<Live> {
  const clock = new ManualClock();
  const heard: unknown[] = [];
  const queue: unknown[] = [];
  let receive: (frame: WireFrame) => void = () => {};
  const channel: Channel = {
    listen: (listener) => {
      receive = listener;
    },
    send(frame) {
      if (frame.kind === 'bytes') {
        const message = JSON.parse(Buffer.from(frame.data).toString());
        heard.push(message);
        for (const recorded of following(cassette, message)) for (const said of edit(recorded)) queue.push(said);
      } else {
        const end = frame.kind === 'signal' ? frame.signal : frame.kind;
        heard.push(end);
        if (end === endsOn) queue.push(exits(end === 'close' ? 0 : end));
      }
      return true;
    },
    drained: (_stream, resume) => resume(),
    pause() {},
    resume() {},
  };
  let driven: ServerRun | undefined;
  const end = runRecordedClient({
    cassette,
    server: liveServerOverChannel(channel, clock),
    clock,
    ...options,
  }).then((result) => {
    driven = result;
  });
  for (let step = 0; driven === undefined && step < STEPS_MAX; step++) {
    while (queue.length > 0) for (const said of queue.splice(0)) receive(frameOf(said));
    clock.advance(STEP);
    await Promise.resolve();
  }
  await end;
  return { driven: driven!, heard };
}

function frameOf(said: unknown): WireFrame {
  if (typeof said === 'object' && said !== null && 'kind' in said) return said as Frame;
  const line = typeof said === 'string' ? said : JSON.stringify(said);
  return { kind: 'bytes', at: 0, from: 'server', on: 'protocol', data: Buffer.from(`${line}\n`) };
}

/** What the server said in the cassette between this message of the client and its next. */
function following({ events }: Cassette, message: unknown): Said[] {
  const saidIn = ({ frame }: Cassette['events'][number]) =>
    frame.kind === 'message' ? (frame.json.value as Said) : undefined;
  const { id, method } = message as Said;
  // A request may send another value than the recorded one.
  const isSame = (said: Said | undefined) =>
    JSON.stringify(said) === JSON.stringify(message) || (id !== undefined && said?.id === id && said.method === method);
  const start = events.findIndex((event) => event.frame.from === 'client' && isSame(saidIn(event)));
  const rest = events.slice(start + 1);
  const end = rest.findIndex(({ frame }) => frame.from === 'client');
  return rest.slice(0, end < 0 ? undefined : end).flatMap((event) => saidIn(event) ?? []);
}
