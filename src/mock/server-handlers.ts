import type { Channel } from '../channel/channel.ts';
import type { Clock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { JsonText } from '../protocol/json-text.ts';
import type { Params } from '../protocol/message.ts';
import type { Finding } from '../replay/findings/finding.ts';
import type { MessageHandler, PlaybackContext } from '../replay/http/message-handler.ts';
import type { Handler, Result } from './handler.ts';
import { handlerChannel } from './handler-channel.ts';
import { HandlerList } from './handler-list.ts';
import { HandlerPlayer } from './handler-player.ts';
import type { HandlerSession } from './handler-session.ts';
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

  /** Sends a notification to every client. */
  notify(method: string, params?: Params): void {
    for (const session of this.#sessions) if (session.hasClient) session.notify(method, params);
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
    const { channel, session } = handlerChannel(client, this.#options(report));
    this.#sessions.push(session);
    return channel;
  }

  /** Puts the handlers before what plays cassettes to the clients of each session over HTTP. */
  player(
    play: (context: Pick<PlaybackContext, 'say'>) => MessageHandler,
    report: (finding: Finding) => void,
  ): (context: Pick<PlaybackContext, 'say'>) => MessageHandler {
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
