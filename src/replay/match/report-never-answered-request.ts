import { lacksJsonRpcVersion } from '../../cassette/correlate/add-json-rpc-version.ts';
import { StrayResponses } from '../../cassette/correlate/pair-stray-responses.ts';
import { isUnanswered, SessionEnds } from '../../cassette/correlate/session-ends.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isNotification, isRequest, type Notification, type Request, type RpcError } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { Finding } from '../findings/finding.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import { INTERNAL_ERROR } from './near-miss.ts';

const WITHOUT_ID = 'Give the request an id that no other request of the cassette has, and its answer the same.';
const WITHOUT_ANSWER =
  'Write its answer after it, or how the wait ended: notifications/cancelled, close: client, or exit.';

/** The finding, and possibly an error response, for a live request whose recorded request has no response. */
export interface Unanswered {
  finding: Finding;
  /**
   * Error to send if the author of the cassette forgot the response. Absent: the recorded server did not respond, and
   * the mock stays silent too.
   */
  error?: RpcError;
  /** Advice for mending the cassette. */
  next?: string;
  /** A response without a request, at the place of the missing response. */
  stray?: SessionEntry;
}

export interface UnansweredOptions {
  plan: ReplayPlan;
  /** The cassette's name. */
  file: string;
  /** Whether the cassette was written by hand. A missing response is then an oversight. */
  isHandWritten: boolean;
}

/** Finds live requests whose recorded request was never answered. Otherwise their sender would wait in silence. */
export class RecordedWithoutAnswer {
  readonly #options: UnansweredOptions;
  #ends: SessionEnds | undefined;
  #strays: StrayResponses | undefined;

  constructor(options: UnansweredOptions) {
    this.#options = options;
  }

  /**
   * Checks the recorded request of a live request. Returns `undefined` if there is a response, or if the cassette shows
   * the end of the wait.
   */
  check(recorded: SessionEntry): Unanswered | undefined {
    const { plan, isHandWritten } = this.#options;
    const { links, entries } = plan;
    const { message, from } = recorded;
    // A recorded request without an id is a notification: servers send no response.
    if (isNotification(message)) return this.#forgotten(recorded, message, WITHOUT_ID);
    if (!isRequest(message) || !isUnanswered(recorded, links)) return undefined;
    this.#strays ??= new StrayResponses(entries, links);
    const stray = this.#strays.substituteFor(recorded);
    if (stray) return this.#withStray(recorded, message, stray);
    this.#ends ??= new SessionEnds(entries);
    const isHttp = recorded.frame.stream !== undefined;
    if (!this.#ends.isNeverAnswered(recorded, links) && (isHttp || !this.#ends.isEndedBySender(recorded)))
      return undefined;
    // Peers never omit `jsonrpc`: a request without this member was pasted into the recording.
    if (!isHandWritten && !lacksJsonRpcVersion(recorded)) {
      const text = `${this.#what(recorded, message)}: the ${from} will wait until it gives up, as it did when this was recorded.`;
      return { finding: { kind: 'unanswerable', text, entry: recorded } };
    }
    // A hand-written end of the session makes the silence intentional.
    if (isHandWritten && this.#ends.hasEndedAfter(recorded, from)) return undefined;
    return this.#forgotten(recorded, message, WITHOUT_ANSWER);
  }

  /**
   * Returns the problem of a request whose answer has a wrong id. Peers never omit `jsonrpc`: without it, one of the
   * two messages was pasted, and the id is a mistake. Otherwise the server may really have sent this id, so the replay
   * stays silent and reports it.
   */
  #withStray(recorded: SessionEntry, message: Request, stray: SessionEntry): Unanswered {
    const { file, isHandWritten } = this.#options;
    const id = scalarKeyAt(recorded.json!, ['id']);
    const next = `Give the answer at ${file}:${stray.line} the id ${id}: it has ${scalarKeyAt(stray.json!, ['id'])}, which answers nothing.`;
    if (isHandWritten || lacksJsonRpcVersion(recorded) || lacksJsonRpcVersion(stray))
      return { ...this.#forgotten(recorded, message, next), stray };
    const text = `${this.#what(recorded, message)}: the ${recorded.from} will wait until it gives up.\n  ${next}`;
    return { finding: { kind: 'unanswerable', text, entry: recorded }, stray };
  }

  #forgotten(recorded: SessionEntry, message: Request | Notification, next: string): Unanswered {
    const what = this.#what(recorded, message);
    const data = { mcpRecord: { cassette: this.#options.file, line: recorded.line, next } };
    return {
      finding: { kind: 'miss', text: `Cannot answer: ${what}.\n  ${next}`, entry: recorded },
      next,
      error: { code: INTERNAL_ERROR, message: `mcp-record: ${what}.`, data },
    };
  }

  #what({ line }: SessionEntry, { method, params }: Request | Notification): string {
    return `${subjectOf(method, params)} has no answer in the cassette (${this.#options.file}:${line})`;
  }
}
