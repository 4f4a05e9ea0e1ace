import type { Frame, MessageFrame } from '../channel/frame.ts';
import { withTextAt } from '../channel/replace-json-at-path.ts';
import { messageTitle } from '../contract/message-title.ts';
import { identityOf } from '../match/request-identity.ts';
import { elementsOf, isBatch, JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, paramsOf } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { ServerRequestIds } from '../replay/tokens/successive-server-request-ids.ts';
import type { FreshClientIds } from './fresh-client-ids.ts';
import { isCall } from './is-call.ts';
import type { MadeUpValues } from './made-up-values.ts';

/** The handshake that a server has made with the recorded client. */
export interface Handshake {
  /** Capabilities of the recorded client. The server goes on to expect them. */
  capabilities: Readonly<Record<string, unknown>>;
  /** The server's response. */
  response: JsonText;
  /** Whether the recorded client has sent `notifications/initialized`. */
  isInitialized: boolean;
}

/** State that a live client received from the recorded server, before the live server took over. */
export interface ClientPast {
  /** Values that the live server generated in place of values that the client knows. */
  values: MadeUpValues;
  /** Ids of the questions that the client received. */
  questionIds: ServerRequestIds;
}

export interface TakingOverClientOptions {
  ids: FreshClientIds;
  /** Handshake of the recorded client. Absent: revisions from 2026-07-28 on have no handshake. */
  handshake?: Handshake | undefined;
  /** State from the recorded server. Absent: the live client's session begins with the live server. */
  past?: ClientPast | undefined;
  /** First call of the recorded client. A live client that repeats this call may expect its recorded answer. */
  firstCall?: JsonText | undefined;
  /** Called with notes for the user of the live client. */
  note(text: string): void;
}

/** Frames to send to each side, in order. */
export interface Forwarded {
  server: Frame[];
  client: Frame[];
}

/** Requests that clients send before or beside the handshake. */
const OUTSIDE_HANDSHAKE: ReadonlySet<string> = new Set(['ping', 'server/discover']);

/**
 * A live client that takes over the session of a recorded one. Its `initialize` is answered with the result that the
 * server gave the recorded client, so that the server is initialized once. All else passes, with ids of its own.
 */
export class TakingOverClient {
  readonly #ids: FreshClientIds;
  readonly #handshake: Handshake | undefined;
  readonly #past: ClientPast | undefined;
  readonly #note: (text: string) => void;
  #firstCall: JsonText | undefined;
  #isServerInitialized: boolean;
  #hasGreeted = false;
  /** Requests and notifications of the server that wait until the client is initialized. Undefined: it is. */
  #held: Frame[] | undefined;

  constructor({ ids, handshake, past, firstCall, note }: TakingOverClientOptions) {
    this.#ids = ids;
    this.#past = past;
    if (!past) this.#firstCall = firstCall;
    this.#handshake = handshake;
    this.#note = note;
    this.#isServerInitialized = handshake?.isInitialized ?? true;
    if (handshake) this.#held = [];
  }

  /** Takes a frame of the client. */
  fromClient(frame: Frame): Forwarded {
    if (frame.kind !== 'message') return { server: [frame], client: [] };
    const client: Frame[] = [];
    const passed = elementsOf(frame.json).flatMap((json) => {
      const { value } = json;
      if (this.#handshake && isRequest(value) && value.method === 'initialize') {
        client.push(this.#greet(json, this.#handshake, frame.at));
        return [];
      }
      if (this.#handshake && isNotification(value) && value.method === 'notifications/initialized') {
        client.push(...this.#release());
        if (this.#isServerInitialized) return [];
        this.#isServerInitialized = true;
        return [json];
      }
      if (isRequest(value) && !OUTSIDE_HANDSHAKE.has(value.method)) client.push(...this.#begin(value.method));
      if (isRequest(value) && isCall(value)) this.#compareFirst(json);
      return this.#toServer(json) ?? [];
    });
    return { server: joined(frame, passed), client };
  }

  /** Takes a frame of the server. Returns the frames for the client. */
  fromServer(frame: Frame): Frame[] {
    if (frame.kind !== 'message') return [frame];
    const passed = elementsOf(frame.json).flatMap((json) => this.#toClient(json) ?? []);
    if (this.#held === undefined) return joined(frame, passed);
    const [now, later] = [passed.filter(isResponseText), passed.filter((json) => !isResponseText(json))];
    this.#held.push(...joined(frame, later));
    return joined(frame, now);
  }

  /** Compares the first call with the first recorded call. Sends a note if both are equal. */
  #compareFirst(json: JsonText): void {
    const recorded = this.#firstCall;
    this.#firstCall = undefined;
    if (recorded === undefined || identityOf(recorded).key !== identityOf(json).key) return;
    const title = messageTitle(json.value);
    this.#note(
      `The live client begins with the first recorded call, ${title}. If it makes the recorded calls itself, let the cassette answer them: add --with-client.`,
    );
  }

  #toServer(json: JsonText): JsonText | undefined {
    if (this.#past === undefined) return this.#ids.toServer(json);
    const asked = this.#past.questionIds.toServer(json);
    return asked && this.#ids.toServer(this.#past.values.toServer(asked));
  }

  #toClient(json: JsonText): JsonText | undefined {
    const own = this.#ids.toClient(json);
    if (this.#past === undefined || own === undefined) return own;
    return this.#past.questionIds.toClient(this.#past.values.toClient(own));
  }

  #greet(request: JsonText, { response, capabilities }: Handshake, at: number): MessageFrame {
    this.#hasGreeted = true;
    const own = paramsOf(request.value).capabilities ?? {};
    const lacking = Object.keys(capabilities).filter((name) => !Object.hasOwn(own, name));
    if (lacking.length > 0) {
      const they = lacking.length === 1 ? 'it' : 'them';
      this.#note(
        `The live client lacks ${lacking.join(', ')}. The recorded client had ${they}, so the server may use ${they}.`,
      );
    }
    const json = withTextAt(response, ['id'], scalarKeyAt(request, ['id'])!);
    return { kind: 'message', at, from: 'server', json };
  }

  /** Takes the first request of a session. Clients should send it after the handshake. */
  #begin(method: string): Frame[] {
    if (this.#handshake && !this.#hasGreeted && this.#held !== undefined) {
      const sent = `The live client sent ${method} before initialize.`;
      this.#note(`${sent} It is passed on, since the server has made the handshake with the recorded client.`);
    }
    return this.#release();
  }

  #release(): Frame[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    return held;
  }
}

function isResponseText({ value }: JsonText): boolean {
  return isResponse(value);
}

/** Returns a frame with the given messages. Keeps the form of a batch. Empty: there are no messages. */
function joined(frame: MessageFrame, messages: readonly JsonText[]): Frame[] {
  const [first] = messages;
  if (first === undefined) return [];
  const json = isBatch(frame.json) ? new JsonText(`[${messages.map(({ text }) => text).join(',')}]`) : first;
  return [json === frame.json ? frame : { ...frame, json }];
}
