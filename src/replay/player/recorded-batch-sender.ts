import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame, MessageFrame } from '../../channel/frame.ts';
import type { Clock } from '../../kernel/clock.ts';
import { isBatch, JsonText } from '../../protocol/json-text.ts';

/** Sends recorded batches as batches (2025-03-26, "Batching"), as far as one turn of the event loop allows. */
export class BatchWriter {
  readonly #clock: Clock;
  readonly #send: (frame: Frame, recorded?: SessionEntry) => void;
  #batch: { recorded: SessionEntry; frame: MessageFrame; texts: string[] } | undefined;

  /** `send` gets each frame with its recorded entry: of a batch, the first one. */
  constructor(clock: Clock, send: (frame: Frame, recorded?: SessionEntry) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Sends `frame`. Frames of one recorded batch are collected. */
  write(frame: Frame, recorded?: SessionEntry): void {
    if (frame.kind !== 'message' || recorded === undefined || !isPart(recorded)) {
      this.flush();
      return this.#send(frame, recorded);
    }
    const { text } = frame.json;
    if (this.#batch?.recorded.event === recorded.event) return void this.#batch.texts.push(text);
    this.flush();
    this.#batch = { recorded, frame, texts: [text] };
    this.#clock.endOfTurn(() => this.flush());
  }

  /** Sends the collected batch. */
  flush(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch) this.#send({ ...batch.frame, json: new JsonText(`[${batch.texts.join(',')}]`) }, batch.recorded);
  }
}

function isPart({ frame }: SessionEntry): boolean {
  return frame.kind === 'message' && isBatch(frame.json);
}
