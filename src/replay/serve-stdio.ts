import type { Cassette } from '../cassette/cassette.ts';
import type { Channel } from '../channel/channel.ts';
import type { Frame, LineFrame, OutputStream, WireFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import type {
  SwitchableFaultInjector,
  SwitchableFaultInjectorOptions,
} from '../faults/engine/switchable-fault-injector.ts';
import type { Unfired } from '../faults/engine/unfired-rule.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { RepeatOption } from '../protocol/method-table.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';
import { type Finding, reportDefaultsOnce } from './findings/finding.ts';
import { hollowArgumentFindings } from './findings/hollow-arguments.ts';
import { unplayableFindings } from './findings/unplayable-findings.ts';
import type { PlaybackContext, SessionPlayer } from './http/create-session-player.ts';
import type { ResultOrError } from './match/protocol-generation.ts';
import { planServer } from './plan/server-plan.ts';
import { STDIO_PROGRESS_GAP } from './player/delay-response-after-progress.ts';
import { Player } from './player/player.ts';
import type { PlayedRun } from './player/player-options.ts';
import { BatchWriter } from './player/recorded-batch-sender.ts';
import type { Timing } from './timing.ts';

export interface ServeOptions {
  cassette: Cassette;
  /** Recorded response to a separate `server/discover`. */
  discovered?: ResultOrError;
  /** The server's end of the channel to the client. */
  channel: Channel;
  clock: Clock;
  timing?: Timing;
  ignore?: readonly Ignore[];
  repeat?: RepeatOption | undefined;
  /**
   * Faults of the session, and their injector. The injector is passed in, so that replays without faults do not load
   * its module.
   */
  faults?: ServedFaults & { Traffic: typeof SwitchableFaultInjector };
  /** Wraps the player of the cassette. */
  intercept?(play: Play): (context: Pick<PlaybackContext, 'send'>) => StdioPlay;
  /** Called immediately with each finding. */
  report(finding: Finding): void;
  /** Same option as {@link PlayerOptions.isHandled}. */
  isHandled?(recorded: JsonText): boolean;
  /** Called before the first message, with a function that returns the runs and their unused requests. */
  started?(runs: () => readonly PlayedRun[]): void;
}

/** Creates the player of the cassette. */
type Play = (context: Pick<PlaybackContext, 'send'>) => SessionPlayer;

/** A player for a process's only client. Its messages have no exchanges. */
interface StdioPlay {
  receive(json: JsonText): void;
  finish(): void;
}

/** Faults that may change during the session. */
export interface ServedFaults
  extends Pick<SwitchableFaultInjectorOptions, 'seed' | 'fired' | 'unchanged' | 'counters'> {
  rules: readonly Rule[];
  /** Called before each frame. Returns changed rules and their seed, if any. */
  changed?(): { rules: readonly Rule[]; seed: number } | undefined;
}

/** End of a replayed session. */
export interface Ending {
  /** Exit status: recorded, if the session got that far, or set by a fault. */
  status: number | string | undefined;
  /** The rules that never fired. */
  unfired: readonly Unfired[];
}

const NOTHING = new Uint8Array(0);

/**
 * Plays the server of a cassette over stdio, until the client closes its input or kills the process, or the recorded
 * server exits.
 */
export function serveStdio(options: ServeOptions): Promise<Ending> {
  const { cassette, channel, clock, report, faults, intercept } = options;
  const { file, events, header } = cassette;
  const recordedExit = events.find(({ frame }) => frame.kind === 'exit')?.frame;
  const recordedStatus = recordedExit?.kind === 'exit' ? recordedExit.status : undefined;
  const plan = planServer(events);
  const isHandWritten = header.recorder === undefined;
  return new Promise((resolve) => {
    const hollow = hollowArgumentFindings(plan.entries, options.ignore ?? []);
    for (const finding of [...unplayableFindings({ plan, file, isHandWritten }), ...hollow]) report(finding);
    const outbox = new Outbox(channel, clock);
    let ended = false;
    const end = (status: Ending['status']) => {
      if (ended) return;
      batches.flush();
      ended = true;
      if (before) before.finish();
      else player.finish();
      traffic?.stop();
      outbox.flush();
      resolve({ status, unfired: traffic?.unfired ?? [] });
    };
    const say = (frame: WireFrame) => (frame.kind === 'exit' ? end(frame.status) : outbox.add(frame));
    const hear = (frame: WireFrame) => {
      if (ended) return;
      if (frame.kind === 'bytes') return damaged.write(frame.data, frame.at);
      const heard = before && frame.kind === 'line' ? lineToMessage(frame) : frame;
      if (before && heard.kind === 'message') before.receive(heard.json);
      else player.receive(heard);
      if (frame.kind === 'signal') end(recordedStatus);
      if (frame.kind === 'close') player.whenIdle(() => whenSent(() => end(recordedStatus)));
    };
    const encode = (frame: Frame) => encodeLine(frame) ?? NOTHING;
    const send = (frame: WireFrame) => (frame.from === 'client' ? hear(frame) : outbox.gather(() => say(frame)));
    const fired: ServedFaults['fired'] = (one, rules) => {
      faults?.fired?.(one, rules);
      player.faulted(one);
    };
    const pause = (_side: unknown, paused: boolean) =>
      paused ? channel.pause('protocol') : channel.resume('protocol');
    // Cassette line of each played frame, which findings about faults name.
    const lines = new WeakMap<Frame, number>();
    const lineOf = (frame: Frame) => lines.get(frame);
    const traffic = faults && new faults.Traffic({ ...faults, fired, clock, encode, send, pause, lineOf });
    traffic?.use(faults?.rules ?? []);
    const misbehave = (frame: WireFrame) => {
      const changed = faults?.changed?.();
      if (changed) traffic?.use(changed.rules, changed.seed);
      traffic?.push(frame);
    };
    const whenSent = (task: () => void) => (traffic ? traffic.whenIdle(task) : task());
    const pass = (frame: Frame) => (traffic ? misbehave(frame) : hear(frame));
    const batches = new BatchWriter(clock, (frame, recorded) => {
      if (traffic === undefined) return say(frame);
      if (recorded) lines.set(frame, recorded.line);
      misbehave(frame);
    });
    let player!: Player;
    const play: Play = ({ send }) => {
      const known = { file, plan, isHandWritten, hasFaults: faults !== undefined, progressGap: STDIO_PROGRESS_GAP };
      player = new Player({ ...options, ...known, send, report: reportDefaultsOnce(report) });
      return {
        get runs() {
          return [player.run];
        },
        receive: (json) => player.receive({ kind: 'message', at: clock.now(), from: 'client', json }),
        done() {},
        faulted: (one) => player.faulted(one),
        finish: () => player.finish(),
      };
    };
    const context: Pick<PlaybackContext, 'send'> = { send: (frame, recorded) => batches.write(frame, recorded) };
    const before = intercept?.(play)(context);
    if (before === undefined) play(context);
    options.started?.(() => [player.run]);
    const decode = (line: (frame: LineFrame) => void) => new LineDecoder({ from: 'client', on: 'protocol', line });
    const decoder = decode((line) => pass(traffic ? lineToMessage(line) : line));
    const damaged = decode((line) => player.receive(line));

    channel.listen((frame) => {
      if (ended) return;
      outbox.gather(() => {
        if (frame.kind === 'bytes') return decoder.write(frame.data, frame.at);
        if (frame.kind === 'close') decoder.end(frame.at);
        pass(frame);
      });
    });
    outbox.gather(() => player.start());
    traffic?.begin();
  });
}

/** Writes all answers to one chunk of input at once. Pauses the input of a client that does not read its output. */
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
    if (this.#gathering) return task();
    this.#gathering = true;
    task();
    this.#gathering = false;
    this.flush();
  }

  add(frame: WireFrame): void {
    if (frame.kind === 'bytes') this.#bytes(frame.on, frame.data);
    else if (frame.kind === 'message') this.#text += `${frame.json.text}\n`;
    else if (frame.kind === 'line') this.#noise(frame);
    else this.#close(frame);
    if (!this.#gathering) this.flush();
  }

  flush(): void {
    const text = this.#text;
    this.#text = '';
    if (text !== '') this.#send('protocol', Buffer.from(text));
  }

  #noise(frame: LineFrame): void {
    this.#bytes(frame.on, encodeLine(frame)!);
  }

  #bytes(on: OutputStream, data: Uint8Array): void {
    if (on === 'protocol') this.flush();
    this.#send(on, data);
  }

  #close(frame: Frame): void {
    this.flush();
    this.#channel.send(frame);
  }

  #send(on: OutputStream, data: Uint8Array): void {
    const channel = this.#channel;
    if (channel.send({ kind: 'bytes', at: this.#clock.now(), from: 'server', on, data })) return;
    channel.pause('protocol');
    channel.drained(on, () => channel.resume('protocol'));
  }
}
