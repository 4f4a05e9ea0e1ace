import { type Clock, systemClock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EndpointOutcome } from '../../mock/endpoint/fetch-endpoint.ts';
import { recordingFailed } from '../../modes/record-session.ts';
import { HttpRecorder } from '../../record/http/http-recorder.ts';
import { recordingNotes } from '../../record/summary/recording-notes.ts';
import { redactedValues } from '../../record/summary/redacted-values.ts';
import { createRedactor, type RedactionRules } from '../../redact/redactor.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { parseUpstream } from '../../transports/http/upstream/upstream.ts';
import { NewCassettes, numberedCassettes } from './numbered-cassettes.ts';

export interface EndpointRecordingOptions {
  /** Of the real server's endpoint. */
  url: string;
  /** Path of the cassette. */
  cassette: string;
  /** False: passwords and tokens are kept as they pass. Rules say what else is redacted, and what is not. */
  redact?: boolean | RedactionRules;
  /** How many cassettes of the cassette were recorded before, and stay. Default: 0. */
  recorded?: number;
}

const HOLD_BYTES_MAX = 64 * 1024 * 1024;

/** Sessions end when the recording does: nobody waits for them to idle. */
const clock: Clock = { ...systemClock, after: () => () => {} };

/** Records the real server of an endpoint, one cassette per session. */
export class EndpointRecording {
  readonly #options: EndpointRecordingOptions;
  readonly #cassettes: NewCassettes;
  readonly #recorder: HttpRecorder;
  #trouble: { error: unknown } | undefined;
  #hasRedacted = false;
  /** The server has said something. */
  #isThere = false;

  /** @throws McpRecordError USAGE_BAD_URL */
  constructor(options: EndpointRecordingOptions) {
    const { url, cassette, redact = true, recorded = 0 } = options;
    const rules = typeof redact === 'object' ? redact : {};
    const fallShort = (error: unknown) => {
      this.#trouble ??= { error };
    };
    this.#options = options;
    this.#cassettes = new NewCassettes(cassette, recorded);
    this.#recorder = new HttpRecorder({
      open: () => this.#cassettes.open(),
      clock,
      gap: 'coarse',
      redactor: redact ? () => createRedactor({ env: process.env, ...rules }) : undefined,
      upstream: parseUpstream(url),
      idleMax: Number.POSITIVE_INFINITY,
      holdBytesMax: HOLD_BYTES_MAX,
      cut: (from) => fallShort(new Error(`a message of the ${from} is longer than can be held`)),
      failed: fallShort,
      finished: (_, hasRedacted) => {
        this.#hasRedacted ||= hasRedacted;
      },
    });
  }

  /** How many cassettes it has added to the cassette. */
  get count(): number {
    return this.#cassettes.count;
  }

  /** Begins an exchange: takes its pieces in order. */
  exchange(): (piece: HttpTrafficEvent) => void {
    const tap = this.#recorder.exchange();
    return (piece) => {
      // A gateway's 5xx does not show that the server exists.
      if (piece.kind === 'response' && piece.status < 500) this.#isThere = true;
      tap(piece);
    };
  }

  /**
   * Ends it. What was recorded becomes the cassette, if the run has passed; `lost` is why the server could not be reached.
   * @throws McpRecordError CASSETTE_NOT_WRITTEN
   */
  end(hasPassed: boolean, lost: unknown): EndpointOutcome {
    const { cassette } = this.#options;
    this.#recorder.end('complete');
    if (this.#trouble) throw recordingFailed(cassette, this.#trouble.error);
    if (!this.#isThere) {
      this.#cassettes.discard();
      const findings: Finding[] = [{ kind: 'missing', text: silence(this.#options, lost) }];
      return { findings, failed: true, failures: findings };
    }
    const outcome: EndpointOutcome = { findings: [], failed: false, failures: [] };
    const [kept] = this.#cassettes.paths;
    if (kept === undefined) return outcome;
    if (!hasPassed) return { ...outcome, kept };
    this.#cassettes.keep();
    return { ...outcome, written: cassette, ...this.#said() };
  }

  /** Returns notes on the recording, and its redacted values. */
  #said(): Pick<EndpointOutcome, 'notes' | 'redacted'> {
    const { cassette, redact = true } = this.#options;
    const recordings = numberedCassettes(cassette).map((file) => ({
      file,
      redacted: redact === false ? undefined : this.#hasRedacted ? redactedValues(file) : [],
      seen: 'all' as const,
    }));
    const redacted = recordings.flatMap((recording) => recording.redacted ?? []);
    return { notes: recordings.flatMap(recordingNotes), ...(redact !== false && { redacted }) };
  }
}

function silence({ url, cassette }: EndpointRecordingOptions, error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const why = error === undefined ? '' : ` It could not be reached: ${messageOf(cause ?? error)}.`;
  return `The server at ${url} never answered, so that ${cassette} was not recorded.${why}`;
}
