import type { Side } from '../../channel/frame.ts';
import { systemClock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { AuthorizationRecorder } from '../../record/authorization/authorization-recorder.ts';
import { PassingCredentials } from '../../record/authorization/passing-credentials.ts';
import { HttpRecorder } from '../../record/http/http-traffic-recorder.ts';
import type { CassetteWriterOptions } from '../../record/writer/cassette-writer.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { BodyMemory, type CutReason } from '../../transports/http/http1/body-memory.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { fail } from '../io/output.ts';
import { sayRecorded } from '../io/print-recording-summary.ts';
import { cassetteNotWritten } from '../io/recording-failures.ts';
import { parseTiming } from '../options/delay-precision-option.ts';
import type { GivenHeaders } from '../options/header-options.ts';
import { tracedBy } from '../options/otlp-option.ts';
import { type RedactionOptions, redactorFor, rulesFrom } from '../options/redaction-options.ts';

/** Options of a recording over HTTP. */
export interface HttpRecordingOptions extends RedactionOptions {
  output: string;
  timing: string;
  idle: string;
  bodyLimit: string;
  sessions: string;
  redact: boolean;
  keepAuthorization?: boolean;
  otlp?: string | true;
}

type Destination = Pick<CassetteWriterOptions, 'open' | 'named'>;

/** Recorders over HTTP with the same options. */
export interface HttpRecording {
  /** Creates the recorder of a server. */
  recorder(upstream: Upstream, cassettes: Destination): HttpRecorder;
  /** Starts an exchange with an authorization server at `origin`. Returns a listener for its traffic, in order. */
  aside(origin: string): (piece: HttpTrafficEvent) => void;
  createRedactor: (() => Redactor) | undefined;
  holdBytesMax: number;
  memory: BodyMemory;
  /** Whether a cassette is incomplete. */
  fellShort(): boolean;
  /** Sends the last traces. */
  end(): Promise<void>;
}

const MILLISECONDS = 1000;
const MEGABYTE = 1024 * 1024;

/**
 * Prepares the recording of servers. `given` are credentials for them.
 * @throws McpRecordError USAGE_BAD_NUMBER, and those of the other options
 */
export async function prepareHttpRecording(
  options: HttpRecordingOptions,
  given: Partial<GivenHeaders>,
): Promise<HttpRecording> {
  const { output } = options;
  let fellShort = false;
  const fallShort = (error: McpRecordError) => {
    fellShort = true;
    fail(error);
  };
  const limits = {
    idleMax: numberOf(options.idle, '--idle') * MILLISECONDS,
    sessionsMax: numberOf(options.sessions, '--sessions'),
    holdBytesMax: numberOf(options.bodyLimit, '--body-limit') * MEGABYTE,
  };
  const memory = new BodyMemory(limits.holdBytesMax);
  const failed = (error: unknown) => fallShort(cassetteNotWritten(output, error));
  const cut = (from: Side, reason: CutReason) =>
    fallShort(reason === 'itself' ? bodyTooLong(from, options.bodyLimit) : bodiesTooLong(from, memory));
  const authorization = options.keepAuthorization
    ? new AuthorizationRecorder({ holdBytesMax: limits.holdBytesMax, memory, cut, failed })
    : undefined;
  const gap = parseTiming(options.timing);
  const traced = await tracedBy(options.otlp);
  const createRedactor = await redactorFor(options.redact, await rulesFrom(options), given);
  const credentials = createRedactor && new PassingCredentials({ redactor: createRedactor, memory, failed });
  return {
    recorder: (upstream, cassettes) =>
      new HttpRecorder({
        ...(traced?.of(cassettes) ?? cassettes),
        ...limits,
        memory,
        clock: systemClock,
        gap,
        redactor: createRedactor,
        failed,
        finished(path, redactor) {
          traced?.finished(path);
          sayRecorded(path, redactor);
        },
        upstream,
        cut,
        authorization,
        credentials,
      }),
    aside(origin) {
      const listeners = [credentials?.exchange(), authorization?.exchange(origin)];
      return (piece) => {
        for (const listener of listeners) listener?.(piece);
      };
    },
    createRedactor,
    holdBytesMax: limits.holdBytesMax,
    memory,
    fellShort: () => fellShort,
    end: async () => traced?.end(),
  };
}

/**
 * Parses a limit.
 * @throws McpRecordError USAGE_BAD_NUMBER
 */
export function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new McpRecordError({
    code: 'USAGE_BAD_NUMBER',
    what: `Cannot take "${text}" for ${option}`,
    why: 'it is not a number above zero',
    next: 'Leave the option out for the usual limit.',
  });
}

function bodyTooLong(from: Side, megabytes: string): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold all of a message of the ${from}`,
    why: `it is longer than ${megabytes} MB`,
    next: 'It was passed on whole, and the cassette has its beginning. Raise --body-limit to keep longer ones.',
  });
}

function bodiesTooLong(from: Side, { bytesMax }: BodyMemory): McpRecordError {
  return new McpRecordError({
    code: 'HTTP_BODY_TOO_LONG',
    what: `Cannot hold all of a message of the ${from}`,
    why: `all messages that are being sent are together longer than ${bytesMax / MEGABYTE} MB, and it is the longest`,
    next: 'It was passed on whole, and the cassette has its beginning. Raise --body-limit to keep more of them.',
  });
}
