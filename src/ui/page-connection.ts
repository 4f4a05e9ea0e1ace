import type { Hello, LiveMessage, SessionUpdate } from '../html-report/data/live-page-protocol.ts';
import type { Clock } from '../kernel/clock.ts';
import type { HttpResponder } from '../transports/http/server/http-listener.ts';
import type { SessionList } from './cassettes/watch-cassette-folder.ts';
import type { GrowingCassetteView } from './sessions/growing-cassette-view.ts';
import { SessionUpdateCursor } from './sessions/session-update-cursor.ts';
import { WorkCursor, type WorkOfSession } from './work/verification-and-mock.ts';

export interface PageConnectionOptions {
  responder: HttpResponder;
  clock: Clock;
  hello: Hello;
  list: SessionList;
  /** The shown sessions: one, or those of a timeline. None: the page shows the list. */
  sessions: readonly { name: string; live: GrowingCassetteView }[];
  /** Work with the only shown session. */
  work?: WorkOfSession;
}

/** Sends server-sent events to one page: the rows of the list, or the shown sessions and their rows, as they change. */
export class PageConnection {
  readonly #options: PageConnectionOptions;
  readonly #rows: Set<string>;
  readonly #unsent: readonly SessionUpdateCursor[];
  readonly #work: WorkCursor | undefined;
  readonly #stops: (() => void)[] = [];
  #isSending = false;
  #isClosed = false;

  constructor(options: PageConnectionOptions) {
    const { responder, list, sessions, work, hello } = options;
    const names = new Set(sessions.map(({ name }) => name));
    this.#options = options;
    this.#rows = names.size > 0 ? new Set(names) : new Set(list.rows.map(({ name }) => name));
    this.#unsent = sessions.map(({ name, live }) => new SessionUpdateCursor(name, live));
    this.#work = work && new WorkCursor(work);
    responder.stream({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' });
    this.#say({ hello });
    this.#stops.push(
      list.onRow((name) => {
        if (names.size > 0 && !names.has(name)) return;
        this.#rows.add(name);
        void this.#send();
      }),
    );
    for (const one of [...sessions.map(({ live }) => live), ...(work ? [work] : [])])
      this.#stops.push(one.onChange(() => void this.#send()));
    void this.#send();
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
  }

  /** Sends pending rows and updates, as fast as the connection accepts them. */
  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let message = this.#next(); message !== undefined && !this.#isClosed; message = this.#next()) {
      this.#say(message);
      await this.#options.responder.drained();
      await new Promise<void>((resolve) => this.#options.clock.endOfTurn(resolve));
    }
    this.#isSending = false;
  }

  #next(): LiveMessage | undefined {
    const rows = [...this.#rows].flatMap((name) => this.#options.list.row(name) ?? []);
    this.#rows.clear();
    const update = this.#nextUpdate();
    const work = this.#work?.next();
    if (rows.length === 0 && update === undefined && work === undefined) return undefined;
    return { ...(rows.length > 0 && { rows }), ...(update && { update }), ...(work && { work }) };
  }

  #nextUpdate(): SessionUpdate | undefined {
    for (const cursor of this.#unsent) {
      const update = cursor.next();
      if (update !== undefined) return update;
    }
    return undefined;
  }

  #say(message: LiveMessage): void {
    this.#options.responder.event(JSON.stringify(message));
  }
}
