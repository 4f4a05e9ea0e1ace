import { isMessageEntry, type MessageEntry, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { type Frame, type MessageFrame, messageFrame, otherSide } from '../../channel/frame.ts';
import { lineToMessage } from '../../channel/line-to-message.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { elementsOf, JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, type Notification, type Request } from '../../protocol/message.ts';
import { isStream } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { ClientDifferences } from '../findings/client-differences.ts';
import {
  lateFinding,
  missingFinding,
  unansweredFinding,
  uncancelledFinding,
  unrecordedFinding,
  unsentFinding,
  unusedFinding,
} from '../findings/finding.ts';
import { unusedEntries } from '../findings/unused-entries.ts';
import { DefaultResponder, responseText } from '../match/default-responder.ts';
import type { RecordedRequest } from '../match/recorded-request.ts';
import { RecordedWithoutAnswer } from '../match/report-never-answered-request.ts';
import { RequestMatcher } from '../match/request-matcher.ts';
import { RetriedRequests, takeRecorded } from '../match/retries-after-faults.ts';
import { SecretBindings } from '../match/secret-bindings.ts';
import type { ReplayPlan } from '../plan/server-plan.ts';
import type { PlanStep } from '../plan/steps-by-trigger.ts';
import { EMPTY_MESSAGE, NO_BINDINGS, type TokenBindings, TokenRewriter } from '../tokens/token-cursor-rewriter.ts';
import { DependencyScheduler } from './dependency-scheduler.ts';
import { emptyEventPoll } from './empty-event-poll.ts';
import { OutgoingRequests } from './outgoing-requests.ts';
import type { PlayedRun, PlayerOptions } from './player-options.ts';
import { RequestsBeingServed } from './requests-being-served.ts';
import { FollowUps, followUpText } from './send-extra-polls-and-pages.ts';

/** Plays one side of a cassette to a live peer, as scheduled by the plan, with the peer's ids and tokens. */
export class Player {
  readonly #options: PlayerOptions;
  readonly #plan: ReplayPlan;
  readonly #scheduler: DependencyScheduler;
  readonly #matcher: RequestMatcher;
  readonly #rewriter: TokenRewriter;
  readonly #defaults: DefaultResponder;
  readonly #incoming: RequestsBeingServed;
  readonly #outgoing: OutgoingRequests;
  /** Compares messages of a live client. Answers of a live server are compared by `verify`. */
  readonly #comparison: ClientDifferences | undefined;
  readonly #retries: RetriedRequests | undefined;
  readonly #unanswered: RecordedWithoutAnswer;
  /** The live values of recorded placeholders. */
  readonly bindings: SecretBindings = new SecretBindings();
  /** Whether the client sent `server/discover`. Some clients start a separate process for this request. */
  #isProbed = false;
  readonly #followUps = new FollowUps();
  #finished = false;

  constructor(options: PlayerOptions) {
    const { plan, file, clock, timing = 'instant', ignore = [], patience, progressGap, report, repeat } = options;
    [this.#options, this.#plan] = [options, plan];
    // A missing entry of the played side is a consequence of another missing entry.
    const over = (step: PlanStep, missing: number, entry = plan.entries[missing]!) => {
      if (entry.from !== plan.side) report(missingFinding(this.#entryOf(step), entry, file));
    };
    const send = (step: PlanStep, bindings: TokenBindings) => this.#play(this.#entryOf(step), bindings);
    const limit = patience === undefined ? {} : { patience: { wait: patience, over } };
    this.#scheduler = new DependencyScheduler({ plan, clock, timing, send, progressGap, ...limit });
    this.#incoming = new RequestsBeingServed(this.#scheduler, plan.links);
    this.#outgoing = new OutgoingRequests(plan);
    const happened = (entry: number) => this.#scheduler.happened(entry);
    const [{ entries, links, rejections }, { bindings }, { isHandWritten = false }] = [plan, this, options];
    const matching = { side: otherSide(plan.side), ignore, rejections, happened, repeat, bindings };
    this.#matcher = new RequestMatcher({ entries, links, ...matching });
    this.#rewriter = new TokenRewriter(plan, options.handles, options.returned);
    if (options.hasFaults) this.#retries = new RetriedRequests();
    this.#defaults = new DefaultResponder({ ...options, matcher: this.#matcher, rewriter: this.#rewriter });
    this.#unanswered = new RecordedWithoutAnswer({ plan, file, isHandWritten });
    if (plan.side === 'server')
      this.#comparison = new ClientDifferences({ ...options, entries, ignore, isHandWritten, bindings });
  }

  /** Sends the frames without dependencies. */
  start(): void {
    this.#scheduler.open(undefined, NO_BINDINGS);
  }

  /** Handles a frame of the live peer. */
  receive(frame: Frame): void {
    if (this.#finished) return;
    const heard = frame.kind === 'line' ? lineToMessage(frame) : frame;
    if (heard.kind === 'close' || heard.kind === 'signal') this.#hearEnd(heard.kind);
    if (heard.kind !== 'message') return heard.kind === 'line' ? this.#comparison?.junk(heard.data) : undefined;
    this.#comparison?.unreadable(heard.json);
    for (const one of elementsOf(heard.json)) this.#hearMessage(one, heard.stream);
  }

  /** Notes an injected fault. A repetition is then a retry. Once a cancel is sent, nothing waits for the answer. */
  faulted(fired: Fired): void {
    this.#retries?.addFault(fired);
    this.#comparison?.ids?.end();
    const cancelled = this.#outgoing.cancel(fired);
    if (cancelled) this.#scheduler.later(0, () => this.#skip(cancelled));
  }

  /** Whether a live request is still being served. */
  get isServing(): boolean {
    return this.#incoming.isServing;
  }

  /** Calls back when no frame is delayed. */
  whenIdle(task: () => void): void {
    this.#scheduler.whenIdle(task);
  }

  /** Run so far, with its unused entries. */
  get run(): PlayedRun {
    const { plan, file, isHandled } = this.#options;
    const played = { scheduler: this.#scheduler, isProbed: this.#isProbed, recorded: this.#matcher.requests };
    const placeholders = this.bindings.boundPlaceholders();
    return { file, plan, unused: unusedEntries({ plan, isHandled, ...played }), placeholders };
  }

  /** Ends the session. No more frames are sent, and unused entries are reported. */
  finish(): void {
    this.#finished = true;
    this.#scheduler.stop();
    const { file, report } = this.#options;
    const unsent = this.#scheduler.unsaid().flatMap((step) => [this.#entryOf(step)].filter(isMessageEntry));
    if (unsent.length > 0) report(unsentFinding(unsent, file));
    if (this.#comparison) for (const request of this.#outgoing.unanswered()) report(unansweredFinding(request, file));
    const { run } = this;
    if (run.unused.length > 0) report(unusedFinding(run.unused, file));
    this.#options.finished?.(run);
  }

  #hearMessage(json: JsonText, stream?: number): void {
    const message = json.value;
    if (isRequest(message)) this.#hearRequest(json, message, stream);
    else if (isNotification(message)) this.#hearNotification(json, message);
    else if (isResponse(message)) this.#hearResponse(json);
    else this.#comparison?.junk(json.text);
  }

  #hearRequest(json: JsonText, request: Request, stream?: number): void {
    this.#comparison?.ids?.request(json, request);
    const recorded = request.method === 'ping' ? undefined : takeRecorded(this.#matcher, json, this.#retries);
    if (recorded) {
      this.#retries?.addMatch(scalarKeyAt(json, ['id'])!, recorded);
      this.#comparison?.request(recorded.entry, json);
      this.#options.heard?.({ recorded: recorded.entry, live: json });
      return this.#answer(recorded, json, stream);
    }
    if (request.method === 'server/discover') this.#isProbed = true;
    const { text, finding } = this.#defaults.answer(json, request);
    if (finding && this.#options.answerMissing?.(json, stream, finding)) return;
    if (finding) this.#options.report(finding);
    this.#sayUnrecorded(text, stream);
  }

  #answer(request: RecordedRequest, live: JsonText, stream?: number): void {
    const recorded = request.entry;
    const answer = this.#plan.entries[this.#plan.links.answerOf.get(recorded.index) ?? -1];
    const empty = emptyEventPoll(request, answer, live);
    if (empty) return this.#sayUnrecorded(responseText(live, { result: empty }), stream);
    this.#incoming.serve(recorded, scalarKeyAt(live, ['id'])!, this.#rewriter.bind(recorded.json!, live, stream));
    const { finding, error } = this.#unanswered.check(recorded) ?? {};
    if (finding) this.#options.report(finding);
    if (error) this.#sayUnrecorded(responseText(live, { error }), stream);
  }

  #hearCancel(json: JsonText): void {
    const id = scalarKeyAt(json, ['params', 'requestId']) ?? '';
    this.#retries?.cancel(id);
    const { file, report } = this.#options;
    const uncancelled = this.#plan.entries[this.#incoming.cancel(id) ?? -1];
    if (uncancelled && this.#comparison) report(uncancelledFinding(uncancelled, file));
    // From 2026-07-28 on, a server sends no requests, but it may end a client's subscription.
    const asked = this.#outgoing.open(id)?.message;
    if (!isRequest(asked) || !isStream(asked.method)) return;
    const ended = this.#matcher.take(json);
    if (ended) this.#scheduler.happen(ended.entry.index);
    else this.#options.heard?.({ recorded: undefined, live: json });
  }

  #hearNotification(json: JsonText, { method }: Notification): void {
    if (method === 'notifications/cancelled') return this.#hearCancel(json);
    const token = method === 'notifications/progress' && (scalarKeyAt(json, ['params', 'progressToken']) ?? '');
    const recorded = token === false ? this.#recordedAs(json, method) : this.#outgoing.progressed(token);
    this.#options.heard?.({ recorded, live: json });
    if (recorded) this.#rewriter.learn(recorded, json);
    if (recorded) this.#scheduler.open(recorded.index, NO_BINDINGS);
    else if (token !== false ? this.#comparison : !this.#defaults.isHandshakeNotification(method))
      this.#options.report(unrecordedFinding(otherSide(this.#plan.side), method, this.#options.file));
  }

  #recordedAs(json: JsonText, method: string): SessionEntry | undefined {
    const next = () => (this.#plan.side === 'client' ? this.#matcher.takeNext(method) : undefined);
    return (this.#matcher.take(json) ?? next())?.entry;
  }

  #hearResponse(json: JsonText): void {
    const id = scalarKeyAt(json, ['id']) ?? 'null';
    const request = this.#outgoing.answered(id);
    if (request === undefined) {
      if (this.#outgoing.isExpectedStray(id)) return;
      const text = `The ${otherSide(this.#plan.side)} answered request ${id}, which is not open: ignored.`;
      return this.#options.report({ kind: 'stray', text });
    }
    const recorded = this.#plan.entries[this.#plan.links.answerOf.get(request.index) ?? -1];
    this.#options.heard?.({ recorded, live: json, request });
    if (!this.#plan.links.cancelOf.has(request.index)) this.#comparison?.answer(request, recorded, json);
    if (recorded === undefined) return;
    this.#rewriter.learn(recorded, json);
    if (!this.#followUp(request, recorded, json)) this.#scheduler.happen(recorded.index);
  }

  /** Polls a task, and requests further pages of a list. Returns whether a request follows. */
  #followUp(request: SessionEntry, recorded: SessionEntry, live: JsonText): boolean {
    if (this.#plan.side === 'server' || this.#scheduler.happened(recorded.index)) return false;
    const next = this.#followUps.next({ request, recorded, live, entries: this.#plan.entries });
    const text = next && this.#rewriter.apply(request as MessageEntry, NO_BINDINGS);
    if (next === undefined || text === undefined) return false;
    const id = this.#followUps.id();
    this.#scheduler.later(next.delay, () => {
      if (this.#scheduler.happened(recorded.index)) return;
      this.#outgoing.askAs(JSON.stringify(id), request);
      this.#sayAs(request, followUpText(text, id, next));
    });
    return true;
  }

  /** Treats the end of input as every recorded end, because clients end a server in different ways. */
  #hearEnd(kind: 'close' | 'signal'): void {
    for (const { index, frame, from, json } of this.#plan.entries) {
      if (json !== undefined) continue;
      const isEnd = frame.kind === kind || (frame.kind === 'signal' && kind === 'close');
      if (from === otherSide(this.#plan.side) && isEnd && !this.#scheduler.happened(index))
        this.#scheduler.open(index, NO_BINDINGS);
    }
  }

  #play(entry: SessionEntry, bindings: TokenBindings): boolean {
    if (!isMessageEntry(entry)) {
      this.#options.send(this.#liveFrame(entry.frame, bindings), entry);
      return true;
    }
    const overtaken = this.#plan.side === 'client' ? this.#outgoing.overtaken(entry) : undefined;
    if (overtaken !== undefined) {
      this.#options.report(lateFinding(overtaken));
      return false;
    }
    const text = this.#rewriter.apply(entry, bindings);
    if (text === undefined) {
      this.#skip(entry);
      return false;
    }
    if (isRequest(entry.message)) this.#outgoing.ask(entry, entry.json);
    this.#sayAs(entry, text, bindings);
    return true;
  }

  /** Skips a message that cannot be sent. Steps that wait for its answer continue. */
  #skip({ index }: SessionEntry): void {
    const answer = this.#plan.links.answerOf.get(index);
    if (answer === undefined) return;
    this.#rewriter.learn(this.#plan.entries[answer]!, EMPTY_MESSAGE);
    this.#scheduler.happen(answer);
  }

  /** Sends `text` in place of `recorded`, with the same SSE fields, status and stream. */
  #sayAs(recorded: SessionEntry, text: string, bindings: TokenBindings = NO_BINDINGS): void {
    const { clock, send } = this.#options;
    const [frame, json] = [recorded.frame as MessageFrame, new JsonText(text)];
    this.#comparison?.sent(json);
    send(messageFrame(json, frame, clock.now(), this.#streamOf(frame, bindings)), recorded);
  }

  /** Sends a message missing in the cassette, on the live exchange `stream`. */
  #sayUnrecorded(text: string, stream?: number): void {
    const { clock, send } = this.#options;
    const [from, json] = [this.#plan.side, new JsonText(text)];
    this.#comparison?.sent(json);
    send({ kind: 'message', at: clock.now(), from, json, ...(stream !== undefined && { stream }) });
  }

  /** Returns a recorded frame with the present time and the live exchange. */
  #liveFrame(recorded: Frame, bindings: TokenBindings): Frame {
    const { stream: _, ...frame } = recorded;
    const stream = this.#streamOf(recorded, bindings);
    return { ...frame, at: this.#options.clock.now(), ...(stream !== undefined && { stream }) };
  }

  /** Returns a frame's exchange: the live one on the server's side, the recorded one on the client's. */
  #streamOf(recorded: Frame, bindings: TokenBindings): number | undefined {
    return this.#plan.side === 'client' ? recorded.stream : bindings.stream;
  }

  #entryOf({ entry }: PlanStep): SessionEntry {
    return this.#plan.entries[entry]!;
  }
}
