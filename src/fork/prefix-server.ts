import type { Cassette } from '../cassette/cassette.ts';
import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Frame, MessageFrame } from '../channel/frame.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import { ReplayServer } from '../modes/replay-server.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, type Request } from '../protocol/message.ts';
import { isStream } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { ReceivedMessage } from '../replay/player/player-options.ts';
import { ServerRequestIds } from '../replay/tokens/successive-server-request-ids.ts';
import type { BegunBefore } from './fresh-client-ids.ts';
import { isCall } from './is-call.ts';

export interface PrefixServerOptions {
  /** Cassette up to the fork, as `sessionPrefix` returns it. */
  prefix: Cassette;
  clock: Clock;
  /** Ignore rules for comparing live requests with recorded ones. */
  ignore: readonly Ignore[];
  /** Whether the first call outside the prefix ends the prefix. From this call on, the live server answers. */
  endsAtDifference: boolean;
  /** Called with each finding about the live client. */
  report(finding: Finding): void;
  /** Called when the client reaches the fork, with the recorded messages that the client left out. */
  arrived(unused: readonly SessionEntry[]): void;
}

/** Outputs of a recorded server that plays. */
export interface PrefixServerOutputs {
  /** Sends a frame to the client. */
  tell(frame: Frame): void;
  /** Called once, when the live server may take over. */
  arrived(): void;
}

/**
 * Plays the recorded server of a prefix to a live client. The client has reached the fork when all messages of the
 * recorded client have arrived. Lists, polls and pings are optional: after all recorded calls, the first message
 * outside the prefix also counts as the fork.
 */
export class PrefixServer {
  /** Ids of server requests: first those of the recorded server, later those of the live server. */
  readonly questionIds: ServerRequestIds = new ServerRequestIds();
  readonly #options: PrefixServerOptions;
  readonly #subscriptions = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  /** Ids of live requests that the recorded server will answer. */
  readonly #open = new Set<string>();
  #server: ReplayServer | undefined;
  #outputs: PrefixServerOutputs | undefined;
  #answers: Pick<ReadonlyMap<number, number>, 'has'> = new Map();
  /** Recorded messages that the client may still send, and the number of those already sent. */
  #all: readonly SessionEntry[] = [];
  #sent = 0;
  /** Whether all further requests are for the live server. */
  #isPast = false;
  /** Whether the message in work is for the live server. */
  #isBeyond = false;
  #isHearing = false;
  #state: 'behind' | 'lost' | 'arriving' | 'arrived' = 'behind';

  constructor(options: PrefixServerOptions) {
    this.#options = options;
  }

  /** Whether the live server may take over. */
  get hasArrived(): boolean {
    return this.#state === 'arrived';
  }

  /** Whether the client made a call outside the prefix and can no longer reach the fork. */
  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Subscriptions and progress tokens of the client. */
  get begun(): BegunBefore {
    return { subscriptions: this.#subscriptions, tokens: this.#tokens };
  }

  /** Recorded calls that the client has not made. */
  get owed(): readonly SessionEntry[] {
    return this.#unused().filter(isOwed);
  }

  /** Begins to play. Called before the first message of the client is heard. */
  begin(outputs: PrefixServerOutputs): void {
    const { prefix, clock, ignore, report } = this.#options;
    this.#outputs = outputs;
    this.#server = new ReplayServer({
      cassette: prefix,
      client: { send: (frame) => this.#tell(frame as Frame) },
      clock,
      ignore,
      report,
      heard: (heard) => this.#heard(heard),
      missAdvice: (request) => this.#adviceOn(request),
      answerMissing: ({ value }, _stream, finding) => this.#isForLiveServer(value as Request, finding),
    });
    const { plan, unused } = this.#server.run;
    this.#answers = plan.links.answerOf;
    this.#all = unused;
  }

  /** Takes a frame of the client. Returns the frames for the live server. */
  hear(frame: Frame): Frame[] {
    if (frame.kind !== 'message') {
      this.#server?.hear(frame);
      return [];
    }
    return elementsOf(frame.json).flatMap((json) =>
      this.#hearMessage(json === frame.json ? frame : { ...frame, json }),
    );
  }

  #hearMessage(frame: MessageFrame): Frame[] {
    const { json } = frame;
    const isOfOpen = isCancel(json) && this.#open.delete(scalarKeyAt(json, ['params', 'requestId']) ?? '');
    if (this.#isPast && !isResponse(json.value) && !isOfOpen) return [frame];
    const heard = this.questionIds.toServer(json) ?? json;
    this.#isBeyond = false;
    this.#isHearing = true;
    this.#server?.hear({ ...frame, json: heard });
    this.#isHearing = false;
    this.#check();
    return this.#isBeyond ? [frame] : [];
  }

  #tell(frame: Frame): boolean {
    // The live server says its own lines.
    if (frame.kind === 'line' && frame.on === 'stderr') return true;
    if (frame.kind !== 'message') {
      this.#outputs?.tell(frame);
      return true;
    }
    const json = this.questionIds.toClient(frame.json);
    this.#outputs?.tell({ ...frame, json });
    if (isResponse(json.value)) this.#open.delete(scalarKeyAt(json, ['id']) ?? '');
    if (!this.#isHearing) this.#check();
    return true;
  }

  #heard({ recorded, live }: ReceivedMessage): void {
    if (recorded) this.#sent++;
    if (recorded?.json === undefined || !isRequest(recorded.message)) return;
    const [id, own] = [scalarKeyAt(recorded.json, ['id']), scalarKeyAt(live, ['id'])];
    if (id === undefined || own === undefined) return;
    if (isStream(recorded.message.method)) this.#subscriptions.set(id, own);
    else if (this.#answers.has(recorded.index)) this.#open.add(own);
    const path = ['params', '_meta', 'progressToken'];
    const [token, ownToken] = [scalarKeyAt(recorded.json, path), scalarKeyAt(live, path)];
    if (token !== undefined && ownToken !== undefined) this.#tokens.set(token, ownToken);
  }

  /** Decides whether the live server answers a request outside the prefix. */
  #isForLiveServer(live: Request, finding: Finding): boolean {
    if (this.isLost) return false;
    const isOwing = this.owed.length > 0;
    if (isOwing && !isCall(live)) return false;
    if (isOwing && !this.#options.endsAtDifference) {
      this.#state = 'lost';
      return false;
    }
    if (isOwing) this.#options.report(finding);
    this.#isPast = true;
    this.#isBeyond = true;
    return true;
  }

  /** Returns advice for a request outside the prefix. A new recording is no solution: only the live client differs. */
  #adviceOn(live: Request): string {
    if (!isCall(live)) return 'Make this request after the line, where the live server answers it';
    if (this.#options.endsAtDifference)
      return 'The live server answers from this call on. Let the client make the recorded call';
    return 'Add --on-difference report to the fork, so that the live server answers from the first such call on';
  }

  /** Returns the recorded messages that the client did not send. A query for the revision uses no recorded message. */
  #unused(): readonly SessionEntry[] {
    return this.#sent === 0 ? this.#all : this.#server!.run.unused;
  }

  #check(): void {
    if (this.#state !== 'behind' || this.#open.size > 0) return;
    if (!this.#isPast && (this.#sent < this.#all.length || this.#unused().length > 0)) return;
    this.#state = 'arriving';
    this.#server!.whenIdle(() => this.#arrive());
  }

  #arrive(): void {
    this.#state = 'arrived';
    this.questionIds.replace();
    this.#options.arrived(this.#unused());
    this.#outputs!.arrived();
  }
}

/** Reports whether the live client has to make a recorded call before the live server takes over. */
function isOwed({ message, match }: SessionEntry): boolean {
  return isRequest(message) && isCall(message, match?.repeat);
}

function isCancel({ value }: JsonText): boolean {
  return isNotification(value) && value.method === 'notifications/cancelled';
}
