import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type ViewHead, viewOf } from '../../data/lanes/view-with-lanes.ts';
import {
  type EditReply,
  type EditRequest,
  type Hello,
  type LiveMessage,
  type SessionRow,
  type SessionUpdate,
  withOutcome,
} from '../../data/live-page-protocol.ts';
import type { Item } from '../../data/report-data-types.ts';
import { PageState } from '../page-state.ts';
import type { AnswerEditDraft } from './answer-edit-draft.ts';
import { postAction, WorkState } from './verification-and-mock-state.ts';

/** Number of items per animation frame between two drawings: long sessions take longer to draw. */
const ITEMS_PER_FRAME = 4_000;
const FRAME_MS = 1_000 / 60;
/** While a long cassette loads, the next drawing has this many times the items: each drawing costs time per item. */
const LOADING_GROWTH = 4;

/** Query parameter that names the open session. */
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
  /** Name of the open session. Undefined: the page shows the list. */
  readonly name: Signal<string | undefined> = signal(undefined);
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
  #edition = -1;
  #head: ViewHead | undefined;
  #items: Item[] = [];
  #hasMore = true;
  /** Selected item of the file before it was read anew. It stays selected if the file still has it. */
  #kept: { index: number; item: Item } | undefined;
  #isDrawing = false;
  /** Number of items at the last drawing. */
  #drawn = 0;
  /** Time of the last frame that drew. */
  #drawnAt = 0;
  #isNamed = false;

  /** Opens the session or the list that the address names. */
  followAddress(): void {
    const name = new URLSearchParams(location.search).get(SESSION) ?? undefined;
    if (this.#source !== undefined && name === this.name.value) return;
    this.page.value?.leave();
    this.page.value = undefined;
    this.name.value = name;
    this.draft.value = undefined;
    this.rows.value = new Map();
    this.#listen(name === undefined ? 'events' : `events?${new URLSearchParams({ [SESSION]: name })}`);
  }

  /**
   * Opens a session, or the list. `replace` replaces the current history entry, so that the back button skips this
   * page.
   */
  open(name: string | undefined, how: 'push' | 'replace' = 'push'): void {
    this.page.value?.leave();
    history[`${how}State`](undefined, '', addressOf(name));
    this.followAddress();
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
    this.#edition = -1;
    this.#drawn = 0;
    this.#head = undefined;
    this.#isNamed = false;
    this.work.reset(this.name.value);
  }

  #take({ hello, rows, update, isUnknown, work }: LiveMessage): void {
    if (hello) {
      this.#reset();
      this.hello.value = hello;
      if (this.name.value === undefined) this.rows.value = new Map();
    }
    if (isUnknown) this.isUnknown.value = true;
    if (rows) this.#takeRows(rows);
    if (update) this.#takeUpdate(update);
    if (work && this.work.take(work)) this.#drawSoon();
  }

  #takeRows(rows: readonly SessionRow[]): void {
    this.rows.value = new Map([...this.rows.value, ...rows.map((row) => [row.name, row] as const)]);
    const { page, name } = this;
    if (page.value) page.value.isGrowing.value = this.rows.value.get(name.value ?? '')?.state === 'growing';
  }

  #takeUpdate({ edition, head, items, outcomes, hasMore }: SessionUpdate): void {
    if (edition !== this.#edition) {
      const index = this.page.value?.selected.value;
      const item = this.page.value?.current.value.items[index ?? -1];
      this.#kept = index !== undefined && item !== undefined ? { index, item } : undefined;
      this.#items = [];
      this.#drawn = 0;
    }
    this.#edition = edition;
    this.#head = head ?? this.#head;
    this.#hasMore = hasMore;
    for (const item of items) this.#items.push(item);
    for (const [position, outcome] of outcomes) this.#items[position] = withOutcome(this.#items[position]!, outcome);
    if (hasMore && this.#kept && this.#items.length <= this.#kept.index) return;
    if (hasMore && this.#items.length < LOADING_GROWTH * this.#drawn) return;
    if (this.page.value === undefined) this.#draw();
    else this.#drawSoon();
  }

  /** Draws in the next frame, or later if the last drawing is recent. */
  #drawSoon(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    const due = this.#drawnAt + Math.floor(this.#items.length / ITEMS_PER_FRAME) * FRAME_MS;
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
    // The session was closed before the frame.
    if (this.#head === undefined) return;
    this.#drawn = this.#items.length;
    const views = [viewOf(this.#head, this.work.withFindings(this.#items))];
    const page = this.page.value ?? new PageState(views);
    page.isGrowing.value = this.rows.value.get(this.name.value ?? '')?.state === 'growing';
    if (this.#kept && !isSame(this.#kept.item, this.#items[this.#kept.index])) page.select(undefined);
    this.#kept = undefined;
    page.replaceViews(views);
    this.page.value = page;
    // Waits for more items while the link may name a missing event.
    if (this.#isNamed || (this.#hasMore && location.hash !== '')) return;
    this.#isNamed = true;
    page.follow();
  }
}

/** Reports whether an item of a reread file is the same as an earlier item. An edit changes answers only. */
function isSame(before: Item, now: Item | undefined): boolean {
  if (now === undefined || now.kind !== before.kind || now.rpcId !== before.rpcId) return false;
  return now.kind === 'response' || now.content?.text === before.content?.text;
}

/** Returns the relative address of a session or of the session list. */
export function addressOf(name: string | undefined): string {
  return name === undefined ? location.pathname : `?${new URLSearchParams({ [SESSION]: name })}`;
}
