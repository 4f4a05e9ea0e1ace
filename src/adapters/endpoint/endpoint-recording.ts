import { type Clock, systemClock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { EndpointOutcome } from '../../mock/endpoint/fetch-endpoint.ts';
import { recordingFailed } from '../../modes/record-session.ts';
import { HttpRecorder } from '../../record/http/http-traffic-recorder.ts';
import { projectRedactor } from '../../record/redact-file/project-redactor.ts';
import { redactedValues } from '../../record/summary/redacted-values.ts';
import { recordingNotes } from '../../record/summary/redacted-values-notes.ts';
import { unredactableValues, unredactableWarning } from '../../record/summary/unredactable-values.ts';
import type { RedactionRules, Redactor } from '../../redact/redactor.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { HttpTrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { parseUpstream } from '../../transports/http/upstream/parse-upstream.ts';
import { NewCassettes, numberedCassettes } from './keep-or-discard-cassettes.ts';

export interface EndpointRecordingOptions {
  /** URL of the real server's endpoint. */
  url: string;
  /** Path of the cassette. */
  cassette: string;
  /** False keeps passwords and tokens in the recording. Rules adjust the redaction. */
  redact?: boolean | RedactionRules;
  /** Number of the endpoint's cassette files recorded earlier, which are kept. Default: 0. */
  recorded?: number;
}

const HOLD_BYTES_MAX = 64 * 1024 * 1024;

/** Clock without timers: sessions end with the recording, and need no idle timeout. */
const clock: Clock = { ...systemClock, after: () => () => {} };

/** Records the real server of an endpoint, with one cassette per session. */
export class EndpointRecording {
  readonly #options: EndpointRecordingOptions;
  readonly #cassettes: NewCassettes;
  readonly #recorder: HttpRecorder;
  #trouble: { error: unknown } | undefined;
  #hasRedacted = false;
  /** Whether a redaction rule matched a value that the session needs for playback. */
  #hasUnredactable = false;
  /** Whether the server has answered. */
  #isThere = false;
  /** Whether a client has sent a request. */
  #wasAsked = false;

  /**
   * Creates the recorder of one round.
   * @throws McpRecordError USAGE_BAD_URL
   */
  constructor(options: EndpointRecordingOptions) {
    const { url, cassette, redact = true, recorded = 0 } = options;
    const fallShort = (error: unknown) => {
      this.#trouble ??= { error };
    };
    this.#options = options;
    this.#cassettes = new NewCassettes(cassette, recorded);
    this.#recorder = new HttpRecorder({
      open: () => this.#cassettes.open(),
      clock,
      gap: 'coarse',
      redactor: redact ? () => redactorOf(redact) : undefined,
      upstream: parseUpstream(url, {}, { isOfTest: true }),
      idleMax: Number.POSITIVE_INFINITY,
      holdBytesMax: HOLD_BYTES_MAX,
      cut: (from) => fallShort(new Error(`a message of the ${from} is longer than can be held`)),
      failed: fallShort,
      finished: (_, redactor) => {
        this.#hasRedacted ||= redactor?.hasRedacted() ?? false;
        this.#hasUnredactable ||= redactor?.hasUnredactable() ?? false;
      },
    });
  }

  /** Number of cassette files written by this recording. */
  get count(): number {
    return this.#cassettes.count;
  }

  /** Starts an exchange. Returns a function that takes its pieces in order. */
  exchange(): (piece: HttpTrafficEvent) => void {
    this.#wasAsked = true;
    const tap = this.#recorder.exchange();
    return (piece) => {
      // A gateway's 5xx does not show that the server exists.
      if (piece.kind === 'response' && piece.status < 500) this.#isThere = true;
      tap(piece);
    };
  }

  /**
   * Ends the recording. It becomes the cassette if the run passed. `lost` is the network error if the server was
   * unreachable.
   * @throws McpRecordError CASSETTE_NOT_WRITTEN
   */
  end(hasPassed: boolean, lost: unknown): EndpointOutcome {
    const { cassette } = this.#options;
    this.#recorder.end('complete');
    if (this.#trouble) throw recordingFailed(cassette, this.#trouble.error);
    if (!this.#isThere) {
      this.#cassettes.discard();
      const findings = [this.#wasAsked ? silence(this.#options, lost) : noClient(this.#options)];
      return { findings, failed: true, failures: findings };
    }
    const outcome: EndpointOutcome = { findings: [], failed: false, failures: [] };
    const [kept] = this.#cassettes.paths;
    if (kept === undefined) return outcome;
    if (!hasPassed) return { ...outcome, kept };
    const notes = this.#cassettes.keep();
    return { ...outcome, written: cassette, ...this.#said(notes) };
  }

  /** Returns notes on the recording, on what it lacks of the replaced one, and its redacted values. */
  #said(lost: readonly string[]): Pick<EndpointOutcome, 'notes' | 'redacted'> {
    const { cassette, redact = true } = this.#options;
    const recordings = numberedCassettes(cassette).map((file) => ({
      file,
      redacted: redact === false ? undefined : this.#hasRedacted ? redactedValues(file) : [],
      seen: 'all' as const,
    }));
    const redacted = recordings.flatMap((recording) => recording.redacted ?? []);
    const left = this.#hasUnredactable ? recordings.flatMap(({ file }) => warningOf(file, redactorOf(redact))) : [];
    return { notes: [...recordings.flatMap(recordingNotes), ...left, ...lost], ...(redact !== false && { redacted }) };
  }
}

function redactorOf(redact: boolean | RedactionRules): Redactor {
  return projectRedactor({ env: process.env, ...(typeof redact === 'object' && redact) });
}

/** Returns the warning about what redaction left in a file, if it left something. */
function warningOf(file: string, redactor: Redactor): string[] {
  const warning = unredactableWarning(file, unredactableValues(file, redactor));
  return warning ? [warning.message] : [];
}

function noClient({ url, cassette }: EndpointRecordingOptions): Finding {
  return { kind: 'unconnected', text: `No client has sent a request to ${url}, so that ${cassette} was not recorded.` };
}

function silence({ url, cassette }: EndpointRecordingOptions, error: unknown): Finding {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const why = error === undefined ? '' : ` It could not be reached: ${messageOf(cause ?? error)}.`;
  return { kind: 'missing', text: `The server at ${url} never answered, so that ${cassette} was not recorded.${why}` };
}
