import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { otherSide, type Side } from '../../channel/frame.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { redactFinished } from '../../record/redact-file/redact-finished.ts';
import { StdioRecorder } from '../../record/stdio/stdio-recorder.ts';
import { createRedactor, type RedactionRules } from '../../redact/redactor.ts';
import type { SdkTransport } from './sdk-transport.ts';

export interface RecordTransportOptions {
  /** Whose transport it is. Default: `client`. */
  side?: Side;
  /** False: passwords and tokens are kept as they pass. Rules say what else is redacted, and what is not. */
  redact?: boolean | RedactionRules;
}

/** A recorded transport: the inner transport, with the path of its cassette. */
export type RecordedTransport<Inner> = Inner & {
  /** The cassette; undefined before the first message. */
  readonly cassette: string | undefined;
};

/**
 * The same transport, of either SDK, with each message that passes written to a cassette, in the order in which our side
 * has it. A cassette that is there is never written to: the next free name is taken. Complete when the transport is
 * closed; a process that dies before leaves a cassette that loads. If the disk refuses, `onerror` hears CASSETTE_NOT_WRITTEN and the
 * session goes on.
 */
export function recordTransport<Inner extends SdkTransport>(
  inner: Inner,
  cassette: string,
  options: RecordTransportOptions = {},
): RecordedTransport<Inner> {
  const own = recorded(inner, cassette, options);
  return new Proxy(inner, {
    get(_, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(inner, key);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(inner) : value;
    },
    set: (_, key, value) => Reflect.set(Object.hasOwn(own, key) ? own : inner, key, value),
  }) as RecordedTransport<Inner>;
}

/** Members that a recorded transport overrides. An SDK may assign any of them. */
type Own = Pick<SdkTransport, 'onmessage' | 'onclose' | 'start' | 'send' | 'close'> & {
  readonly cassette: string | undefined;
};

function recorded(inner: SdkTransport, cassette: string, options: RecordTransportOptions): Own {
  const { side = 'client', redact = true } = options;
  const rules = typeof redact === 'object' ? redact : {};
  let recorder: StdioRecorder | undefined;
  let isLeaving = false;
  const said = (from: Side, message: unknown) => {
    const json = new JsonText(JSON.stringify(message));
    recorder?.tap({ kind: 'message', at: systemClock.now(), from, json });
  };
  const end = () => {
    // Where nobody said anything there is no cassette.
    if (!recorder || recorder.isBlank) return;
    recorder.tap({ kind: 'close', at: systemClock.now(), from: isLeaving ? side : otherSide(side) });
    recorder.end('complete');
  };
  const own: Own = {
    onmessage: inner.onmessage,
    onclose: inner.onclose,
    get cassette() {
      return recorder?.path;
    },
    start() {
      isLeaving = false;
      recorder = new StdioRecorder({
        open: () => new CassetteFile(cassette),
        clock: systemClock,
        gap: 'coarse',
        redactor: redact ? () => createRedactor({ env: process.env, ...rules }) : undefined,
        redactAgain: redactFinished,
        failed: (error) => inner.onerror?.(notWritten(cassette, error)),
      });
      return inner.start();
    },
    send(message, ...rest) {
      // Before it goes on its way: who hears it may answer at once.
      said(side, message);
      return inner.send(message, ...rest);
    },
    async close() {
      isLeaving = true;
      await inner.close();
      end();
    },
  };
  inner.onmessage = (message, extra) => {
    said(otherSide(side), message);
    own.onmessage?.(message, extra);
  };
  inner.onclose = () => {
    end();
    own.onclose?.();
  };
  return own;
}

function notWritten(cassette: string, error: unknown): McpRecordError {
  return new McpRecordError({
    code: 'CASSETTE_NOT_WRITTEN',
    what: `Cannot write the cassette ${cassette}`,
    why: messageOf(error),
    next: 'The session goes on unrecorded. Free the disk or name another place, and record again.',
    cause: error,
  });
}
