import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  EditReply,
  EditRequest,
  Hello,
  LiveMessage,
  SessionRow,
  SessionUpdate,
} from '../../data/live-page-protocol.ts';
import type { Item, View } from '../../data/report-data-types.ts';
import { timelineOf } from '../../data/timeline/timeline-of-sessions.ts';
import { PageState } from '../page-state.ts';
import type { AnswerEditDraft } from './answer-edit-draft.ts';
import { SessionFeed } from './session-feed.ts';
import { postAction, WorkState } from './verification-and-mock-state.ts';

/** Number of items per animation frame between two drawings: long sessions take longer to draw. */
const ITEMS_PER_FRAME = 4_000;
const FRAME_MS = 1_000 / 60;
/** While a long cassette loads, the next drawing has this many times the items: each drawing costs time per item. */
const LOADING_GROWTH = 4;

/** Query parameter that names an open session. Several are shown on a timeline. */
const SESSION = 'session';

/** Reasons for refusing an edit, by state of the cassette. */
const REFUSALS: Readonly<Record<string, string>> = {
  growing: 'You can edit the answer when its recording has ended.',
  unfinished: 'The recording has no end. If its recorder was killed, add the line "- end: killed" to the file.',
};

/** State of the live page, built from the server-sent events of `mcp-record ui`. */
export class LiveState {
  readonly hello: Signal<Hello | undefined> = signal(undefined);
  readonly isConnected: Signal<boolean> = signal(true);
  readonly rows: Signal<ReadonlyMap<string, SessionRow>> = signal(new Map());
  /** Names of the open sessions. None: the page shows the list. Several: it shows their timeline. */
  readonly names: Signal<readonly string[]> = signal([]);
  /** Name of the only open session. */
  readonly name: ReadonlySignal<string | undefined> = computed(() =>
    this.names.value.length === 1 ? this.names.value[0] : undefined,
  );
  /** Names of the sessions that are chosen in the list. */
  readonly chosen: Signal<ReadonlySet<string>> = signal(new Set());
  readonly page: Signal<PageState | undefined> = signal(undefined);
  /** Whether the server does not know the session. */
  readonly isUnknown: Signal<boolean> = signal(false);
  readonly work: WorkState = new WorkState();
  /** Edit of an answer that is not saved yet. */
  readonly draft: Signal<AnswerEditDraft | undefined> = signal(undefined);
  /** Version of the open file. */
  readonly version: ReadonlySignal<string> = computed(() => this.rows.value.get(this.name.value ?? '')?.version ?? '');
  /** Reason why answers of the open file cannot be edited. A running recorder ignores edits and continues to append. */
  readonly refusal: ReadonlySignal<string | undefined> = computed(
    () => REFUSALS[this.rows.value.get(this.name.value ?? '')?.state ?? ''],
  );
  #source: EventSource | undefined;
  #feeds = new Map<string, SessionFeed>();
  /** Selected item of the file before it was read anew. It stays selected if the file still has it. */
  #kept: { index: number; item: Item } | undefined;
  #isDrawing = false;
  /** Number of items at the last drawing. */
  #drawn = 0;
  /** Time of the last frame that drew. */
  #drawnAt = 0;
  #isNamed = false;

  /** Opens the sessions or the list that the address names. */
  followAddress(): void {
    const names = [...new Set(new URLSearchParams(location.search).getAll(SESSION))];
    if (this.#source !== undefined && names.join('\n') === this.names.value.join('\n')) return;
    this.page.value?.leave();
    this.page.value = undefined;
    this.names.value = names;
    this.draft.value = undefined;
    this.rows.value = new Map();
    this.#listen(`events${queryOf(names)}`);
  }

  /**
   * Opens sessions, or the list. `replace` replaces the current history entry, so that the back button skips this
   * page.
   */
  open(names: readonly string[], how: 'push' | 'replace' = 'push'): void {
    this.page.value?.leave();
    history[`${how}State`](undefined, '', addressOf(names));
    this.followAddress();
  }

  /** Chooses a session of the list for a timeline, or no longer. */
  choose(name: string, isChosen: boolean): void {
    const chosen = new Set(this.chosen.value);
    if (isChosen) chosen.add(name);
    else chosen.delete(name);
    this.chosen.value = chosen;
  }

  /** Asks the server to check or save an edit. */
  readonly post = async (request: EditRequest): Promise<EditReply> => {
    const { body, problem } = await postAction('edit', { session: this.name.value ?? '', ...request });
    return problem ? { problem } : (body as EditReply);
  };

  #listen(url: string): void {
    this.#source?.close();
    this.#reset();
    const source = new EventSource(url);
    this.#source = source;
    source.onmessage = ({ data }) => this.#take(JSON.parse(data));
    source.onopen = () => (this.isConnected.value = true);
    // EventSource reconnects by itself.
    source.onerror = () => (this.isConnected.value = false);
  }

  #reset(): void {
    this.isUnknown.value = false;
    this.#feeds = new Map(this.names.value.map((name) => [name, new SessionFeed()]));
    this.#drawn = 0;
    this.#isNamed = false;
    this.work.reset(this.name.value);
  }

  #take({ hello, rows, update, isUnknown, work }: LiveMessage): void {
    if (hello) {
      this.#reset();
      this.hello.value = hello;
      if (this.names.value.length === 0) this.rows.value = new Map();
    }
    if (isUnknown) this.isUnknown.value = true;
    if (rows) this.#takeRows(rows);
    if (update) this.#takeUpdate(update);
    if (work && this.work.take(work)) this.#drawSoon();
  }

  #takeRows(rows: readonly SessionRow[]): void {
    this.rows.value = new Map([...this.rows.value, ...rows.map((row) => [row.name, row] as const)]);
    if (this.page.value) this.page.value.isGrowing.value = this.#isGrowing;
  }

  get #isGrowing(): boolean {
    return this.names.value.some((name) => this.rows.value.get(name)?.state === 'growing');
  }

  /** Items of the only session. Undefined: the page shows a timeline. */
  get #items(): Item[] | undefined {
    return this.#feeds.get(this.name.value ?? '')?.items;
  }

  /** Number of items of all sessions. */
  get #count(): number {
    return [...this.#feeds.values()].reduce((sum, { items }) => sum + items.length, 0);
  }

  #takeUpdate(update: SessionUpdate): void {
    const feed = this.#feeds.get(update.name);
    if (feed === undefined) return;
    const index = this.page.value?.selected.value;
    const item = this.page.value?.current.value.items[index ?? -1];
    if (feed.take(update)) {
      this.#kept = this.#items && index !== undefined && item !== undefined ? { index, item } : undefined;
      this.#drawn = 0;
    }
    const count = this.#count;
    if (feed.hasMore && this.#kept && count <= this.#kept.index) return;
    if (feed.hasMore && count < LOADING_GROWTH * this.#drawn) return;
    if (this.page.value === undefined) this.#draw();
    else this.#drawSoon();
  }

  /** Draws in the next frame, or later if the last drawing is recent. */
  #drawSoon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const due = this.#drawnAt + Math.floor(this.#count / ITEMS_PER_FRAME) * FRAME_MS;
    const wait = () =>
      requestAnimationFrame((now) => {
        if (now < due) return wait();
        this.#isDrawing = false;
        this.#drawnAt = now;
        this.#draw();
      });
    wait();
  }

  #draw(): void {
    const views = this.#views();
    // The session was closed before the frame, or not all sessions have begun.
    if (views === undefined) return;
    this.#drawn = this.#count;
    const page = this.page.value ?? new PageState(views);
    page.isGrowing.value = this.#isGrowing;
    if (this.#kept && !isSame(this.#kept.item, this.#items?.[this.#kept.index])) page.select(undefined);
    this.#kept = undefined;
    page.replaceViews(views);
    this.page.value = page;
    // Waits for more items while the link may name a missing event.
    const hasMore = [...this.#feeds.values()].some((feed) => feed.hasMore);
    if (this.#isNamed || (hasMore && location.hash !== '')) return;
    this.#isNamed = true;
    page.follow();
  }

  /** Returns the only session, or the timeline of several and each of them. Undefined: they have not begun. */
  #views(): View[] | undefined {
    const feeds = [...this.#feeds.values()];
    const [only, ...others] = feeds;
    if (only === undefined) return undefined;
    if (others.length === 0) {
      const view = only.view(this.work.withFindings(only.items));
      return view && [view];
    }
    const views = feeds.flatMap((feed) => feed.view() ?? []);
    return views.length === feeds.length ? [timelineOf(views), ...views] : undefined;
  }
}

/** Reports whether an item of a reread file is the same as an earlier item. An edit changes answers only. */
function isSame(before: Item, now: Item | undefined): boolean {
  if (now === undefined || now.kind !== before.kind || now.rpcId !== before.rpcId) return false;
  return now.kind === 'response' || now.content?.text === before.content?.text;
}

/** Returns the relative address of sessions or of the session list. */
export function addressOf(names: readonly string[]): string {
  return names.length === 0 ? location.pathname : queryOf(names);
}

function queryOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `?${new URLSearchParams(names.map((name) => [SESSION, name]))}`;
}
