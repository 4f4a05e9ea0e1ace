import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame, LineFrame, MessageFrame } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { unreadableMessages } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { unplayableFindings } from '../../replay/findings/unplayable-findings.ts';
import { planClient } from '../../replay/plan/client-plan.ts';
import type { SendOrder } from '../../replay/plan/send-order.ts';
import { STDIO_PROGRESS_GAP } from '../../replay/player/delay-response-after-progress.ts';
import { Player } from '../../replay/player/player.ts';
import type { PlayerOptions, ReceivedMessage } from '../../replay/player/player-options.ts';
import { BatchWriter } from '../../replay/player/recorded-batch-sender.ts';
import {
  addedHandshakeFinding,
  isMadeUp,
  refusedHandshakeFindings,
} from '../../replay/prepare/add-missing-handshake.ts';
import { planWithCaptures } from '../../replay/tokens/captured-values.ts';
import { returnedValueRewriter } from '../../replay/tokens/short-left-out-values.ts';
import type { TokenRule } from '../../replay/tokens/token-locations.ts';
import type { HttpFailure } from '../compare/classify-http-failure.ts';
import { alignSecrets, type LiveRedaction, maskSecretsOf } from '../compare/equal-placeholders.ts';
import { HeldAnswers, type HoldAnswer } from './answers-awaiting-approval.ts';
import { VAIN_WAITS_MAX, VainWaits } from './give-up-after-timeouts.ts';
import type { LiveEnd, LiveServer } from './live-server-types.ts';
import {
  type Exchange,
  emptyRun,
  endsStreamEarly,
  keptPart,
  type ServerRunResult,
  subscriptionEndedBy,
  unansweredRequests,
  wasMissed,
} from './server-run-result.ts';

export type { Exchange, ServerRunResult as ServerRun } from './server-run-result.ts';

export interface RunRecordedClientOptions extends Pick<PlayerOptions, 'timing' | 'repeat'> {
  cassette: Cassette;
  server: LiveServer;
  clock: Clock;
  ignore?: readonly Ignore[];
  handles?: readonly TokenRule[];
  /** Redaction of live values. Required for finding ids in texts with secrets. */
  redaction?: LiveRedaction | undefined;
  /** Maximum wait of a frame for its dependencies. */
  patience?: Milliseconds;
  /** Messages of the client that keep their order. Absent: the server's messages alone decide when each is sent. */
  order?: SendOrder | undefined;
  /** Aborting ends the session at once. The result contains everything observed until then. */
  aborted?: AbortSignal;
  /** Holds each answer to a question of the server. Absent: answers are sent immediately. */
  hold?: HoldAnswer;
  /** Called with each recorded request when it is sent. */
  asked?(request: SessionEntry): void;
  /** Called with each answer, and the run so far. */
  answered?(exchange: Exchange, run: ServerRunResult): void;
}

const PATIENCE: Milliseconds = 10_000;
/** Maximum number of unrecorded frames kept for the report, for each kind. */
const KEPT_MAX = 100;
/** Kinds of findings whose number is limited by the cassette's length. */
const OF_THE_CASSETTE: ReadonlySet<Finding['kind']> = new Set(['missing', 'late', 'unsent', 'unused']);
/** Number of unrecorded lines or messages that counts as a flood. */
const FLOOD_MIN = 100_000;
/** Implementation-defined error code (JSON-RPC 2.0, "Error object"). */
const REFUSED = -32000;

/** Plays the client of a cassette to a live server until both have ended. Rejects if the server cannot be reached. */
export function runRecordedClient(options: RunRecordedClientOptions): Promise<ServerRunResult> {
  const ignore = [...(options.ignore ?? []), ...maskSecretsOf(options.cassette, options.redaction)];
  return new Promise((resolve, reject) => new Drive({ ...options, ignore }, resolve, reject).start());
}

class Drive {
  readonly #options: RunRecordedClientOptions;
  readonly #resolve: (driven: ServerRunResult) => void;
  readonly #reject: (error: McpRecordError) => void;
  readonly #player: Player;
  readonly #driven: ServerRunResult;
  readonly #batches: BatchWriter;
  readonly #began: Milliseconds;
  /** Send times of open requests, HTTP failures and statuses, by request id. */
  readonly #sent = new Map<string, Milliseconds>();
  readonly #refusals = new Map<string, HttpFailure>();
  readonly #statuses = new Map<string, number>();
  /** Ids of unanswered requests that a fault has cancelled. */
  readonly #cancelled = new Set<string>();
  /** Recorded entries of sent notifications and responses. */
  readonly #recorded = new WeakMap<JsonText, SessionEntry>();
  readonly #held: HeldAnswers | undefined;
  #closed = false;
  #ended = false;
  /** Number of unrecorded frames, by kind. */
  readonly #unrecorded = new Map<string, number>();
  readonly #stderr: LineFrame[] = [];
  readonly #vain = new VainWaits();
  /** Ids of requests without an answer when the client ended the session. The end itself may close their streams. */
  #leftOpen: ReadonlySet<string> = new Set();

  constructor(
    options: RunRecordedClientOptions,
    resolve: (driven: ServerRunResult) => void,
    reject: (error: McpRecordError) => void,
  ) {
    const { cassette, clock, server, patience = PATIENCE, redaction, ignore = [] } = options;
    this.#options = options;
    this.#held = options.hold && new HeldAnswers(options.hold);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#began = clock.now();
    this.#batches = new BatchWriter(clock, (frame) => server.send(frame));
    const isHandWritten = cassette.header.recorder === undefined;
    const recorded = planClient(cassette.events, { opening: isHandWritten, order: options.order });
    const { plan, captured } = planWithCaptures(recorded, options.handles ?? []);
    const returned = returnedValueRewriter(plan, { align: alignSecrets(redaction), ignore, captured });
    this.#driven = emptyRun({
      isHandWritten,
      plan,
      returned,
      handles: options.handles ?? [],
      isProcess: server.isProcess,
      isCutShort: !isHandWritten && cassette.end === undefined,
    });
    this.#player = new Player({
      ...options,
      file: cassette.file,
      plan,
      isHandWritten,
      returned,
      patience,
      ...(server.isProcess && { progressGap: STDIO_PROGRESS_GAP }),
      send: (frame, recorded) => this.#say(frame, recorded),
      report: (finding) => this.#report(finding, patience),
      heard: (heard) => this.#heard(heard),
    });
  }

  start(): void {
    const [{ file }, { plan, findings, isHandWritten }] = [this.#options.cassette, this.#driven];
    findings.push(...unplayableFindings({ plan, file, isHandWritten }));
    if (plan.entries.some(isMadeUp)) findings.push(addedHandshakeFinding(file));
    this.#options.server.begin(plan, {
      receive: (frame) => this.#hear(frame),
      refuse: (id, refusal) => this.#refused(id, refusal),
      refusedMessage: (message, refusal) => {
        this.#driven.refusedMessages.push({ message, recorded: this.#recorded.get(message), refusal });
      },
      cancelled: (id) => this.#cancelled.add(id) && this.#hearError(id, 'cancelled'),
      closed: () => {
        this.#driven.died ||= !this.#closed;
        this.#close();
      },
      stop: (why) => this.#stop(why),
      failed: (error) => {
        this.#player.finish();
        this.#reject(error);
      },
      ended: (end) => this.#end(end),
    });
    this.#player.start();
    const { aborted } = this.#options;
    if (aborted?.aborted) this.#abort();
    else aborted?.addEventListener('abort', () => this.#abort(), { once: true });
  }

  /** Ends the session immediately, without waiting for the server. */
  #abort(): void {
    if (this.#ended) return;
    Object.assign(this.#driven, { isAborted: true, stopped: 'interrupted' });
    this.#close();
    this.#end({ killed: false });
  }

  #hear(frame: MessageFrame | LineFrame): void {
    // The server may explain its end on standard error after the client has left.
    if (frame.kind === 'line' && frame.on === 'stderr') {
      if (this.#stderr.push(keptPart(frame)) > KEPT_MAX) this.#stderr.shift();
      return;
    }
    if (this.#driven.stopped !== undefined) return;
    if (frame.kind === 'message') {
      for (const one of unreadableMessages(frame.json))
        if (this.#isWorthKeeping(one.why)) this.#driven.unreadable.push(one);
      this.#held?.hear(frame);
      if (frame.status !== undefined) this.#statuses.set(scalarKeyAt(frame.json, ['id']) ?? '', frame.status);
      return this.#player.receive(frame);
    }
    if (this.#isWorthKeeping('junk')) this.#driven.noise.push(keptPart(frame));
  }

  /** Passes an error to the player, as an SDK client does for a failed request. */
  #refused(id: string, refusal: HttpFailure): void {
    this.#refusals.set(id, refusal);
    this.#hearError(id, refusal.words);
  }

  #hearError(id: string, message: string): void {
    if (this.#driven.stopped !== undefined) return;
    const json = new JsonText(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: REFUSED, message })}}`);
    this.#player.receive({ kind: 'message', at: this.#options.clock.now(), from: 'server', json });
  }

  #report(finding: Finding, patience: Milliseconds): void {
    const { kind } = finding;
    if (kind === 'missing' && this.#vain.add(this.#options.clock.now(), patience))
      this.#stop(`${VAIN_WAITS_MAX} waits in a row were in vain`);
    if (OF_THE_CASSETTE.has(kind) || this.#isWorthKeeping(kind)) this.#driven.findings.push(finding);
  }

  #heard({ request, recorded, live }: ReceivedMessage): void {
    const { exchanges, notifications } = this.#driven;
    if (request !== undefined || recorded !== undefined) this.#vain.clear();
    if (request !== undefined && isMadeUp(request)) {
      this.#driven.findings.push(...refusedHandshakeFindings(live));
    } else if (request !== undefined) {
      const id = scalarKeyAt(live, ['id']) ?? '';
      if (this.#cancelled.has(id)) return void this.#driven.cancelled.add(request.index);
      if (this.#leftOpen.has(id) && (this.#refusals.has(id) || wasMissed(this.#driven, recorded))) return;
      const duration = this.#options.clock.now() - (this.#sent.get(id) ?? this.#began);
      this.#sent.delete(id);
      const refusal = this.#refusals.get(id);
      const status = this.#driven.isProcess ? undefined : (this.#statuses.get(id) ?? 200);
      const beside = { ...(refusal && { refusal }), ...(status !== undefined && { status }) };
      const exchange: Exchange = { request, recorded, live, duration, ...beside };
      if (wasMissed(this.#driven, recorded)) exchange.isLate = true;
      const isOver = this.#closed || this.#leftOpen.has(id);
      if (!isOver && endsStreamEarly(request, this.#driven)) exchange.isEarlyEnd = true;
      exchanges.push(exchange);
      this.#options.answered?.(exchange, this.#driven);
    } else {
      const endedSubscription = recorded || this.#closed ? undefined : subscriptionEndedBy(live, this.#driven);
      if (recorded || endedSubscription || this.#isWorthKeeping('notification'))
        notifications.push({ recorded, live, ...(endedSubscription && { endedSubscription }) });
    }
  }

  /** Counts an unrecorded frame. Returns whether the report keeps the frame, as one of the first of its kind. */
  #isWorthKeeping(kind: string): boolean {
    const count = (this.#unrecorded.get(kind) ?? 0) + 1;
    this.#unrecorded.set(kind, count);
    if (count === FLOOD_MIN) this.#stop(`it floods: ${FLOOD_MIN} lines that the cassette does not have`);
    return count <= KEPT_MAX;
  }

  #say(frame: Frame, recorded?: SessionEntry): void {
    const { clock } = this.#options;
    if (frame.kind === 'close' && frame.stream === undefined) this.#close();
    if (this.#closed) return;
    const held = this.#held?.hold(frame);
    if (held) return void held.then((approved) => this.#say(approved, recorded));
    if (frame.kind === 'open' && frame.method === 'DELETE') this.#leftOpen = new Set(this.#sent.keys());
    if (recorded) this.#driven.sentMessages.set(recorded.index, clock.now());
    if (frame.kind === 'message' && isRequest(frame.json.value)) {
      this.#sent.set(scalarKeyAt(frame.json, ['id'])!, clock.now());
      if (recorded) this.#driven.sentRequests.set(recorded.index, frame.json);
      if (recorded && !isMadeUp(recorded)) this.#options.asked?.(recorded);
    } else if (frame.kind === 'message' && recorded) this.#recorded.set(frame.json, recorded);
    this.#batches.write(frame, recorded);
  }

  /** Gives up the session without sending the rest of the cassette. */
  #stop(why: string): void {
    if (this.#closed) return;
    this.#driven.stopped = `gave up on the server: ${why}`;
    this.#close();
  }

  #close(): void {
    if (this.#closed) return;
    this.#batches.flush();
    this.#closed = true;
    this.#leftOpen = new Set(this.#sent.keys());
    this.#options.server.close();
  }

  #end({ exit, killed }: LiveEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    const driven = Object.assign(this.#driven, { killed, ...(exit && { exit }) });
    driven.died ||= !this.#closed;
    driven.noise.push(...this.#stderr);
    this.#player.finish();
    driven.unanswered = unansweredRequests(driven);
    driven.duration = this.#options.clock.now() - this.#began;
    const { streams, refusedOpens } = this.#options.server;
    this.#resolve({ ...driven, streams, refusedOpens });
  }
}
