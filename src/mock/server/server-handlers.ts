import type { Channel } from '../../channel/channel.ts';
import type { Clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import type { Params } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { MessageHandler, PlaybackContext } from '../../replay/http/message-handler.ts';
import type { Handler, Result } from '../handler.ts';
import { HandlerList, LISTS } from '../handler-list.ts';
import type { HandlerSession } from '../handler-session.ts';
import { HandlerPlayer } from './handler-player.ts';
import { interceptWithHandlers } from './intercept-with-handlers.ts';
import { ServerDefaults, type ServerDescription } from './server-defaults.ts';

export interface ServerHandlersOptions {
  handlers: readonly Handler[];
  /** Of a server without a cassette. Absent: a cassette answers what no handler answers. */
  description?: ServerDescription | undefined;
  clock: Clock;
}

/** The handlers of one mock server, and the sessions of its clients. */
export class ServerHandlers {
  readonly #list: HandlerList;
  readonly #defaults: ServerDefaults | undefined;
  readonly #clock: Clock;
  /** In the order in which they began. */
  #sessions: HandlerSession[] = [];

  /** @throws McpRecordError HANDLER_INVALID */
  constructor({ handlers, description, clock }: ServerHandlersOptions) {
    this.#list = new HandlerList(handlers);
    this.#defaults = description && new ServerDefaults(this.#list, description);
    this.#clock = clock;
  }

  /** @throws McpRecordError HANDLER_INVALID */
  use(handlers: readonly Handler[]): void {
    this.#list.use(handlers);
  }

  /** Leaves the handlers that the server began with. */
  resetHandlers(): void {
    this.#list.reset();
  }

  /**
   * Replaces the handlers that the server began with, and what it says of itself. Clients hear of lists that have changed.
   * @throws McpRecordError HANDLER_INVALID
   */
  replace(handlers: readonly Handler[], description: ServerDescription): void {
    const before = this.#listed();
    this.#list.replace(handlers);
    this.#defaults?.describe(description);
    for (const [list, items] of this.#listed())
      if (items !== before.get(list)) this.notify(`notifications/${list}/list_changed`);
  }

  /** The lists that handlers define, as JSON. */
  #listed(): Map<string, string> {
    return new Map([...LISTS.values()].map((list) => [list, JSON.stringify(this.#list.definitions(list))]));
  }

  /** Resolves when no call of a client is open. */
  async idle(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.idle()));
  }

  /** Sends a notification to every client. Returns how many sessions there are with one. */
  notify(method: string, params?: Params): number {
    const joined = this.#sessions.filter(({ hasClient }) => hasClient);
    for (const session of joined) session.notify(method, params);
    return joined.length;
  }

  /**
   * Asks the client whose session began last, and resolves with its result.
   * @throws McpRecordError MOCK_NO_CLIENT
   */
  async ask(method: string, params?: Params): Promise<Result> {
    const session = this.#sessions.findLast(({ hasClient }) => hasClient);
    if (session) return session.ask(method, params);
    throw new McpRecordError({
      code: 'MOCK_NO_CLIENT',
      what: `Cannot ask a client for ${method}`,
      why: 'none is connected to this mock server',
      next: 'Connect a client first, and wait until it is: await client.connect(transport).',
    });
  }

  /** Whether a handler has answered a recorded request in place of the cassette. */
  readonly isHandled = (recorded: JsonText): boolean => this.#list.hasAnswered(recorded);

  /** Puts the handlers before a server in this process, at the end of a channel that it has with a client. */
  channel(client: Channel, report: (finding: Finding) => void): Channel {
    const { channel, session } = interceptWithHandlers(client, this.#options(report));
    this.#sessions.push(session);
    return channel;
  }

  /** Puts the handlers before what plays cassettes to the clients of each session over HTTP. */
  player(
    play: (context: Pick<PlaybackContext, 'say'>) => MessageHandler,
    report: (finding: Finding) => void,
  ): (context: Pick<PlaybackContext, 'say'>) => HandlerPlayer {
    return (context) => {
      const player = new HandlerPlayer(play, context, this.#options(report));
      this.#sessions.push(player.session);
      return player;
    };
  }

  /** Ends every session, and reports the calls that were not answered. */
  end(): void {
    for (const session of this.#sessions) session.end();
    this.#sessions = [];
  }

  /** Begins anew, for the next test: with the handlers that the server began with. */
  restart(): void {
    this.#list.reset();
    this.#list.forget();
  }

  #options(report: (finding: Finding) => void) {
    return { handlers: this.#list, defaults: this.#defaults, clock: this.#clock, report };
  }
}
