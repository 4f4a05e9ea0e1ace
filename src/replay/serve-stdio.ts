import type { Cassette } from '../cassette/types.ts';
import type { Channel } from '../channel/channel.ts';
import type { Frame, NoiseFrame, Stream } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ignore } from '../match/ignore.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/lines.ts';
import type { Reply } from './era.ts';
import type { Finding } from './finding.ts';
import { Player } from './player.ts';
import { scoreServer } from './score.ts';
import type { Timing } from './timing.ts';

export interface ServeOptions {
  cassette: Cassette;
  /** What the recorded server answered to a process that only asked what it can do. */
  discovered?: Reply;
  /** The client's end. */
  channel: Channel;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  /** Told at once of everything that a person must hear of. */
  report(finding: Finding): void;
}

/** How a replayed session ended: with the taped status, if the tape has one and got that far. */
export interface Ending {
  status: number | string | undefined;
}

/** Plays the server of a cassette over stdio, until the client closes or ends us, or the taped server dies. */
export function serveStdio(options: ServeOptions): Promise<Ending> {
  const { cassette, channel, clock, report } = options;
  const { file, events } = cassette;
  return new Promise((resolve) => {
    const outbox = new Outbox(channel, clock);
    let ended = false;
    const end = (status: Ending['status']) => {
      if (ended) return;
      ended = true;
      player.finish();
      outbox.flush();
      resolve({ status });
    };
    const say = (frame: Frame) => (frame.kind === 'exit' ? end(frame.status) : outbox.add(frame));
    const player = new Player({ ...options, file, score: scoreServer(events), say, report });
    const decoder = new LineDecoder({ from: 'client', on: 'protocol', line: (line) => player.hear(line) });
    const taped = events.find(({ frame }) => frame.kind === 'exit')?.frame;
    const tapedStatus = taped?.kind === 'exit' ? taped.status : undefined;

    channel.listen((frame) => {
      if (ended) return;
      outbox.gather(() => {
        if (frame.kind === 'bytes') decoder.write(frame.data, frame.at);
        if (frame.kind === 'signal') end(tapedStatus);
        if (frame.kind !== 'close') return;
        decoder.end(frame.at);
        player.hear(frame);
        player.whenIdle(() => end(tapedStatus));
      });
    });
    outbox.gather(() => player.start());
  });
}

/**
 * Writes in one piece what is said in answer to one piece of input; what is said at other times goes out at once. A
 * client that does not read is not read from.
 */
class Outbox {
  readonly #channel: Channel;
  readonly #clock: Clock;
  #text = '';
  #gathering = false;

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
  }

  gather(task: () => void): void {
    this.#gathering = true;
    task();
    this.#gathering = false;
    this.flush();
  }

  add(frame: Frame): void {
    if (frame.kind === 'message') this.#text += `${frame.json.text}\n`;
    else if (frame.kind === 'noise') this.#noise(frame);
    else this.#close(frame);
    if (!this.#gathering) this.flush();
  }

  flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#send('protocol', Buffer.from(text));
  }

  #noise(frame: NoiseFrame): void {
    if (frame.on === 'protocol') this.flush();
    this.#send(frame.on, encodeLine(frame)!);
  }

  #close(frame: Frame): void {
    this.flush();
    this.#channel.send(frame);
  }

  #send(on: Stream, data: Uint8Array): void {
    const channel = this.#channel;
    if (channel.send({ kind: 'bytes', at: this.#clock.now(), from: 'server', on, data })) return;
    channel.pause('protocol');
    channel.drained(on, () => channel.resume('protocol'));
  }
}
