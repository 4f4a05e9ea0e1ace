import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { Channel } from '../../channel/channel.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Params } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { PlaybackContext, SessionPlayer } from '../../replay/http/create-session-player.ts';
import { checkSentMethod } from '../check-sent-method.ts';
import type { Handler, Result } from '../handler.ts';
import { HandlerList } from '../handler-list.ts';
import type { HandlerSession } from '../handler-session.ts';
import { type AskOptions, askWithTimeout } from './ask-timeout.ts';
import { interceptWithHandlers } from './handlers-before-cassette.ts';
import { HandlerPlayer } from './handlers-first-player.ts';
import { LISTS, recordedItems } from './merge-list-items.ts';
import { type ServerDescription, ServerFallbackAnswers } from './server-fallback-answers.ts';

export interface ServerHandlersOptions {
  handlers: readonly Handler[];
  /** Description of a server without a cassette. Absent: a cassette answers requests without a handler. */
  description?: ServerDescription | undefined;
  /** Returns the events of the cassette, whose lists handlers may override. Called at most once. */
  recorded?: () => readonly CassetteEvent[];
  clock: Clock;
  /** As {@link HandlerSessionOptions.progressGap}. */
  progressGap?: Milliseconds;
}

/** The handlers of one mock server, and the sessions of its clients. */
export class ServerHandlers {
  readonly #list: HandlerList;
  readonly #defaults: ServerFallbackAnswers | undefined;
  readonly #clock: Clock;
  readonly #progressGap: Milliseconds | undefined;
  /** Sessions, in the order of their start. */
  #sessions: HandlerSession[] = [];
  #report: (finding: Finding) => void = () => {};

  /**
   * Creates the handlers of a server.
   * @throws McpRecordError HANDLER_INVALID
   */
  constructor({ handlers, description, recorded = () => [], clock, progressGap }: ServerHandlersOptions) {
    this.#list = new HandlerList(handlers, () => recordedItems(recorded()));
    this.#defaults = description && new ServerFallbackAnswers(this.#list, description);
    this.#clock = clock;
    this.#progressGap = progressGap;
  }

  /**
   * Adds handlers before all others.
   * @throws McpRecordError HANDLER_INVALID
   */
  use(handlers: readonly Handler[]): void {
    this.#list.use(handlers);
  }

  /** Removes all handlers except the initial ones. */
  resetHandlers(): void {
    this.#list.reset();
  }

  /**
   * Replaces the initial handlers and the server's description. Clients are notified of changed lists.
   * @throws McpRecordError HANDLER_INVALID
   */
  replace(handlers: readonly Handler[], description: ServerDescription): void {
    const before = this.#listed();
    this.#list.replace(handlers);
    this.#defaults?.describe(description);
    for (const [list, items] of this.#listed())
      if (items !== before.get(list)) this.notify(`notifications/${list}/list_changed`);
  }

  /** Returns the lists defined by handlers, as JSON. */
  #listed(): Map<string, string> {
    return new Map([...LISTS.values()].map((list) => [list, JSON.stringify(this.#list.definitions(list))]));
  }

  /** Resolves when no client call is open. */
  async idle(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.idle()));
  }

  /**
   * Sends a notification to every client. Returns the number of sessions with a client.
   * @throws McpRecordError MOCK_BAD_METHOD
   */
  notify(method: string, params?: Params): number {
    checkSentMethod(method, 'notification');
    const joined = this.#sessions.filter(({ hasClient }) => hasClient);
    for (const session of joined) session.notify(method, params);
    return joined.length;
  }

  /**
   * Sends a request to the client of the newest session, and resolves with its result. After the timeout the request is
   * cancelled (2025-11-25, "Timeouts").
   * @throws McpRecordError MOCK_NO_CLIENT, MOCK_BAD_METHOD, MOCK_NO_ANSWER; RpcFailure if the client answers with an
   * error
   */
  async ask(method: string, params?: Params, options: AskOptions = {}): Promise<Result> {
    checkSentMethod(method, 'request');
    const session = this.#sessions.findLast(({ hasClient }) => hasClient);
    if (session)
      return askWithTimeout({ clock: this.#clock, peer: 'client', method, options }, (signal) =>
        session.ask(method, params, signal),
      );
    throw new McpRecordError({
      code: 'MOCK_NO_CLIENT',
      what: `Cannot ask a client for ${method}`,
      why: 'none is connected to this mock server',
      next: 'Connect a client first, and wait until it is: await client.connect(transport).',
    });
  }

  /** Reports whether a handler answered a recorded request in place of the cassette. */
  readonly isHandled = (recorded: JsonText): boolean => this.#list.hasAnswered(recorded);

  /** Puts the handlers before a server in this process. `client` is the server's end of the channel to the client. */
  channel(client: Channel, report: (finding: Finding) => void): { channel: Channel; ended(): void } {
    const { channel, session } = interceptWithHandlers(client, this.#options(report));
    this.#sessions.push(session);
    return { channel, ended: () => session.endByFault() };
  }

  /** Wraps the player of each HTTP session with the handlers. */
  player(
    play: (context: Pick<PlaybackContext, 'send'>) => SessionPlayer,
    report: (finding: Finding) => void,
  ): (context: Pick<PlaybackContext, 'send'>) => HandlerPlayer {
    return (context) => {
      const player = new HandlerPlayer(play, context, this.#options(report));
      this.#sessions.push(player.session);
      return player;
    };
  }

  /**
   * What `end` would report by now: rules of the protocol that clients have broken in sessions that are still open, and
   * handlers that should have been called.
   */
  get openFindings(): Finding[] {
    return [...this.#sessions.flatMap(({ brokenRules }) => brokenRules), ...this.#list.findings];
  }

  /** Notes a fault in a session of a client in this process. */
  readonly faulted = (): void => {
    for (const session of this.#sessions) session.faulted();
  };

  /**
   * Ends every session, and reports calls without an answer, and handlers that should have been called.
   * @param report takes the findings on handlers. Default: the newest session does, if there ever was one
   */
  end(report: (finding: Finding) => void = this.#report): void {
    for (const session of this.#sessions) session.end();
    this.#sessions = [];
    for (const finding of this.#list.takeFindings()) report(finding);
  }

  /** Restarts for the next test, with the initial handlers. */
  restart(): void {
    this.#list.reset();
    this.#list.forget();
  }

  #options(report: (finding: Finding) => void) {
    this.#report = report;
    const [handlers, defaults, clock, progressGap] = [this.#list, this.#defaults, this.#clock, this.#progressGap];
    return { handlers, defaults, clock, progressGap, report };
  }
}
