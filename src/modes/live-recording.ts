import { CassetteFile } from '../cassette/write/cassette-file.ts';
import type { Channel } from '../channel/channel.ts';
import type { ExitFrame, Frame } from '../channel/frame.ts';
import { tappedChannel } from '../channel/tapped-channel.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import { redactFinished } from '../record/redact-file/redact-finished.ts';
import { StdioRecorder } from '../record/stdio/stdio-recorder.ts';
import type { Redactor } from '../redact/redactor.ts';
import { lineChannel } from '../transports/stdio/line-channel.ts';
import { connectToServer, type Server } from './connect-to-server.ts';

export interface LiveRecordingOptions {
  server: Server;
  clock: Clock;
  /** Path of the recording. If it exists, the next free numbered name is used. Absent: nothing is recorded. */
  recordTo?: string;
  /** Creates the redactor of the recording. */
  redactor?: (() => Redactor) | undefined;
  /** Called with each frame of the server. */
  onFrame(frame: Frame): void;
}

/** The state of a live server after its end. */
export interface LiveRecordingEnd {
  /** Path of its recording. */
  recording?: string;
  /** Whether the server sent a message. */
  hasSpoken: boolean;
  /** Whether the client sent one. */
  wasAsked: boolean;
  exit?: ExitFrame;
  /** The last lines of its standard error. */
  stderr: string[];
  /** Error that made the recording incomplete. */
  error?: unknown;
}

/** Time from the end of input to SIGTERM, and then to SIGKILL. SDK clients wait equally long. */
const GRACE_PERIOD: Milliseconds = 2_000;
const STDERR_LINES = 20;

/** The live server of a test, with its recording. */
export class LiveRecording {
  readonly #clock: Clock;
  readonly #recorder: StdioRecorder | undefined;
  readonly #channel: Channel;
  readonly #ended: Promise<void>;
  readonly #end: LiveRecordingEnd = { hasSpoken: false, wasAsked: false, stderr: [] };
  #closed = false;
  #stopEnding: Cancel = () => {};

  /**
   * Starts the server, or prepares the connection to it.
   * @throws McpRecordError COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE, USAGE_BAD_URL
   */
  static async start(options: LiveRecordingOptions): Promise<LiveRecording> {
    const { server, clock } = options;
    let settle: { started: () => void; failed: (error: Error) => void };
    const isThere = new Promise<void>((resolve, reject) => {
      settle = { started: resolve, failed: reject };
    });
    const bytes = await connectToServer(server, {
      clock,
      started: () => settle.started(),
      failed: (error) => settle.failed(error),
    });
    // Listens before the start is confirmed, so that no early frame is lost.
    const live = new LiveRecording(bytes, options);
    await isThere;
    return live;
  }

  private constructor(server: Channel, { clock, recordTo, redactor, onFrame }: LiveRecordingOptions) {
    this.#clock = clock;
    this.#recorder = recordTo === undefined ? undefined : this.#record(recordTo, redactor);
    const recorder = this.#recorder;
    const bytes = recorder ? tappedChannel(server, (frame) => recorder.tap(frame)) : server;
    this.#channel = lineChannel(bytes, 'server', clock);
    this.#ended = new Promise((resolve) => {
      this.#channel.listen((frame) => {
        if (frame.kind !== 'bytes') this.#heard(frame, onFrame);
        if (frame.kind === 'exit') resolve();
      });
    });
  }

  /** Sends a frame of the client to the server. */
  send(frame: Frame): void {
    if (this.#closed) return;
    this.#closed = frame.kind === 'close';
    this.#end.wasAsked ||= frame.kind === 'message';
    this.#channel.send(frame);
  }

  /** Ends the server like a client, with `close`, SIGTERM and SIGKILL, and completes the recording. */
  async stop(): Promise<LiveRecordingEnd> {
    this.send({ kind: 'close', at: this.#clock.now(), from: 'client' });
    this.#endLater('SIGTERM');
    await this.#ended;
    this.#stopEnding();
    this.#recorder?.end('complete');
    const recording = this.#recorder?.path;
    return { ...this.#end, ...(recording !== undefined && { recording }) };
  }

  #record(path: string, redactor: LiveRecordingOptions['redactor']): StdioRecorder {
    return new StdioRecorder({
      open: () => new CassetteFile(path),
      clock: this.#clock,
      gap: 'coarse',
      redactor,
      redactAgain: redactFinished,
      failed: (error) => {
        this.#end.error = error;
      },
    });
  }

  #heard(frame: Frame, hear: (frame: Frame) => void): void {
    const end = this.#end;
    if (frame.kind === 'message') end.hasSpoken = true;
    if (frame.kind === 'exit') end.exit = frame;
    if (frame.kind === 'line' && frame.on === 'stderr') {
      end.stderr.push(String(frame.data));
      if (end.stderr.length > STDERR_LINES) end.stderr.shift();
    }
    hear(frame);
  }

  #endLater(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#stopEnding = this.#clock.after(GRACE_PERIOD, () => {
      this.#channel.send({ kind: 'signal', at: this.#clock.now(), from: 'client', signal });
      if (signal === 'SIGTERM') this.#endLater('SIGKILL');
    });
  }
}
