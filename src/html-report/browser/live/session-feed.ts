import { type ViewHead, viewOf } from '../../data/lanes/view-with-lanes.ts';
import { type SessionUpdate, withOutcome } from '../../data/live-page-protocol.ts';
import type { Item, View } from '../../data/report-data-types.ts';

/** Items and head of a session, built from its updates. */
export class SessionFeed {
  edition = -1;
  head: ViewHead | undefined;
  items: Item[] = [];
  hasMore = true;

  /** Takes an update. Returns whether it invalidates all earlier items. */
  take({ edition, head, items, outcomes, hasMore }: SessionUpdate): boolean {
    const isAnew = edition !== this.edition;
    if (isAnew) this.items = [];
    this.edition = edition;
    this.head = head ?? this.head;
    this.hasMore = hasMore;
    for (const item of items) this.items.push(item);
    for (const [position, outcome] of outcomes) this.items[position] = withOutcome(this.items[position]!, outcome);
    return isAnew;
  }

  /** Returns the session with these items. Undefined: no update has come yet. */
  view(items: Item[] = this.items): View | undefined {
    return this.head && viewOf(this.head, items);
  }
}
