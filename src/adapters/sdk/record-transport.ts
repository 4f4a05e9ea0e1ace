import { CassetteFile } from '../../cassette/write/cassette-file.ts';
import { otherSide, type Side } from '../../channel/frame.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError, messageOf } from '../../kernel/errors.ts';
import { checkTransport, validateApiOptions } from '../../modes/validate-api-options.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { projectRedactor } from '../../record/redact-file/project-redactor.ts';
import { redactFinished } from '../../record/redact-file/redact-finished.ts';
import { StdioRecorder } from '../../record/stdio/stdio-recorder.ts';
import type { RedactionRules } from '../../redact/redactor.ts';
import type { SdkTransport } from './channel-transport.ts';

export interface RecordTransportOptions {
  /** Side of the transport. Default: `client`. */
  side?: Side;
  /** False keeps passwords and tokens in the recording. Rules adjust the redaction. */
  redact?: boolean | RedactionRules;
}

/** A recorded transport: the inner transport, with the path of its cassette. */
export type RecordedTransport<Inner> = Inner & {
  /** Path of the cassette. Undefined before the first message. */
  readonly cassette: string | undefined;
};

/**
 * Wraps a transport of either SDK, and writes each message to a cassette in the order seen on our side. An existing
 * cassette is never overwritten: the next free name is used. The cassette is complete when the transport is closed;
 * after a crash it still loads. On a disk error, `onerror` is called with CASSETTE_NOT_WRITTEN and the session
 * continues.
 * @throws McpRecordError OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function recordTransport<Inner extends SdkTransport>(
  inner: Inner,
  cassette: string,
  options: RecordTransportOptions = {},
): RecordedTransport<Inner> {
  checkTransport(inner);
  validateApiOptions(options, 'recorded transport', { areAll: true });
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

/** Members that a recorded transport overrides. SDKs may assign any of them. */
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
    // Without messages, no cassette is written.
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
        redactor: redact ? () => projectRedactor({ env: process.env, ...rules }) : undefined,
        redactAgain: redactFinished,
        failed: (error) => inner.onerror?.(notWritten(cassette, error)),
      });
      return inner.start();
    },
    send(message, ...rest) {
      // Recorded before sending, because the receiver may answer immediately.
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
