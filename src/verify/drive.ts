import type { Move } from '../cassette/moves.ts';
import type { Cassette } from '../cassette/types.ts';
import type { Channel } from '../channel/channel.ts';
import { classify } from '../channel/classify.ts';
import type { ExitFrame, Frame, NoiseFrame } from '../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import type { Pointer } from '../match/ignore.ts';
import { tokenAt } from '../protocol/id.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import type { Finding } from '../replay/finding.ts';
import type { Handle } from '../replay/handle.ts';
import { type Heard, Player } from '../replay/player.ts';
import { scoreClient } from '../replay/score-client.ts';
import type { Timing } from '../replay/timing.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/lines.ts';

export interface DriveOptions {
  cassette: Cassette;
  /** The live server's end. */
  channel: Channel;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Pointer[];
  handles?: readonly Handle[];
  /** How long a frame waits for what it needs. */
  patience?: Milliseconds;
}

/** A recorded request that was sent, and what the live server answered. Further pages share their last page's request. */
export interface Exchange {
  request: Move;
  /** The recorded answer; absent where the tape has none. */
  recorded: Move | undefined;
  live: JsonText;
  duration: Milliseconds;
}

/** A live notification, and the recorded one that it stands for. */
export interface Notified {
  recorded: Move | undefined;
  live: JsonText;
}

/** What a live server did when the recorded client was played to it. */
export interface Driven {
  exchanges: Exchange[];
  notifications: Notified[];
  findings: Finding[];
  /** Recorded requests that were answered on tape and not by the live server. */
  unanswered: Move[];
  /** Lines of the live server that are no messages, standard error among them. */
  noise: NoiseFrame[];
  /** How the live server's process ended. */
  exit?: ExitFrame;
  /** The live server ended before the recorded client had. */
  died: boolean;
  duration: Milliseconds;
}

const PATIENCE: Milliseconds = 10_000;
/** As the SDK clients do: this long from the end of input to SIGTERM, and from there to SIGKILL. */
const GRACE: Milliseconds = 2_000;

/** Plays the client of a cassette to a live server, to the end of both. */
export function drive(options: DriveOptions): Promise<Driven> {
  return new Promise((resolve) => new Drive(options, resolve).start());
}

class Drive {
  readonly #options: DriveOptions;
  readonly #resolve: (driven: Driven) => void;
  readonly #player: Player;
  readonly #driven: Driven = {
    exchanges: [],
    notifications: [],
    findings: [],
    unanswered: [],
    noise: [],
    died: false,
    duration: 0,
  };
  readonly #began: Milliseconds;
  /** Id of a request → when it was sent. */
  readonly #sent = new Map<string, Milliseconds>();
  #closed = false;
  #stopEnding: Cancel = () => {};

  constructor(options: DriveOptions, resolve: (driven: Driven) => void) {
    const { cassette, clock, patience = PATIENCE } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#began = clock.now();
    this.#player = new Player({
      ...options,
      file: cassette.file,
      score: scoreClient(cassette.events),
      patience,
      say: (frame) => this.#say(frame),
      report: (finding) => void this.#driven.findings.push(finding),
      heard: (heard) => this.#heard(heard),
    });
  }

  start(): void {
    const hear = (line: NoiseFrame): void => this.#hear(line);
    const protocol = new LineDecoder({ from: 'server', on: 'protocol', line: hear });
    const stderr = new LineDecoder({ from: 'server', on: 'stderr', line: hear });
    this.#options.channel.listen((frame) => {
      if (frame.kind === 'bytes') (frame.on === 'stderr' ? stderr : protocol).write(frame.data, frame.at);
      else if (frame.kind === 'close') {
        protocol.end(frame.at);
        this.#driven.died ||= !this.#closed;
      } else if (frame.kind === 'exit') {
        stderr.end(frame.at);
        this.#end(frame);
      }
    });
    this.#player.start();
  }

  #hear(line: NoiseFrame): void {
    const frame = classify(line);
    if (frame.kind === 'noise') this.#driven.noise.push(frame);
    else this.#player.hear(frame);
  }

  #heard({ request, recorded, live }: Heard): void {
    if (request === undefined) {
      this.#driven.notifications.push({ recorded, live });
      return;
    }
    const sent = this.#sent.get(tokenAt(live, ['id']) ?? '') ?? this.#began;
    this.#driven.exchanges.push({ request, recorded, live, duration: this.#options.clock.now() - sent });
  }

  #say(frame: Frame): void {
    const { channel, clock } = this.#options;
    if (frame.kind === 'close') {
      this.#closed = true;
      channel.send(frame);
      this.#endLater('SIGTERM');
      return;
    }
    if (frame.kind === 'message' && isRequest(frame.json.value)) {
      this.#sent.set(tokenAt(frame.json, ['id'])!, clock.now());
    }
    const data = encodeLine(frame);
    if (data) channel.send({ kind: 'bytes', at: clock.now(), from: 'client', on: 'protocol', data });
  }

  #endLater(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { channel, clock } = this.#options;
    this.#stopEnding = clock.after(GRACE, () => {
      channel.send({ kind: 'signal', at: clock.now(), from: 'client', signal });
      if (signal === 'SIGTERM') this.#endLater('SIGKILL');
    });
  }

  #end(exit: ExitFrame): void {
    const driven = this.#driven;
    driven.died ||= !this.#closed;
    driven.exit = exit;
    this.#stopEnding();
    this.#player.finish();
    const { moves, links } = this.#player.score;
    const answered = new Set(driven.exchanges.map(({ request }) => request.index));
    driven.unanswered = [...links.answerOf.keys()]
      .map((index) => moves[index]!)
      .filter(({ index, from }) => from === 'client' && !answered.has(index) && !links.cancelOf.has(index));
    driven.duration = this.#options.clock.now() - this.#began;
    this.#resolve(driven);
  }
}
