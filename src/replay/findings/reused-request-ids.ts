import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Request } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { isModern } from '../../protocol/revisions.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { Finding } from './finding.ts';

export interface ReusedRequestIdsOptions {
  /** The cassette's name, for messages. */
  file: string;
  /** The entries of the cassette. */
  entries: readonly SessionEntry[];
  report(finding: Finding): void;
}

/**
 * Reports, once, a client that uses an id for several requests, unless the recorded client did so, too. From 2026-07-28
 * on, this is forbidden among requests in flight only (Base protocol, "Messages").
 */
export class ReusedRequestIds {
  readonly #options: ReusedRequestIdsOptions;
  /** Ids of requests before 2026-07-28, as JSON tokens. */
  readonly #used = new CompactIds();
  /** Ids of open requests from 2026-07-28 on, as JSON tokens. */
  readonly #open = new Set<string>();
  #isOver = false;

  constructor(options: ReusedRequestIdsOptions) {
    this.#options = options;
  }

  /** Notes a request of the client. */
  request(live: JsonText, request: Request): void {
    if (this.#isOver) return;
    const id = scalarKeyAt(live, ['id'])!;
    const known = isOfModern(request) ? this.#open : this.#used;
    if (!known.has(id)) {
      known.add(id);
      return;
    }
    this.end();
    const { file, entries, report } = this.#options;
    if (reusesIds(entries)) return;
    const subject = subjectOf(request.method, request.params);
    const text = `The client sent ${subject}, which the specification does not allow, and ${file} does not have: the id ${id} was used before [id-unique]`;
    report({ kind: 'differs', text, breaksProtocol: true });
  }

  /** Notes a message to the client, which may be the answer to an open request. */
  sent(message: JsonText): void {
    if (this.#open.size === 0) return;
    const id = scalarKeyAt(message, ['id']);
    if (id !== undefined && !isRequest(message.value)) this.#open.delete(id);
  }

  /** Ends the checks: a fault may be the reason for a request that comes again. */
  end(): void {
    this.#isOver = true;
    this.#open.clear();
  }
}

/** Set of JSON tokens that keeps consecutive integers as a range: a session may have millions of requests. */
class CompactIds {
  readonly #others = new Set<string>();
  #first = 0;
  #end = 0;

  has(id: string): boolean {
    const number = Number(id);
    const isInRange = number >= this.#first && number < this.#end && String(number) === id;
    return isInRange || this.#others.has(id);
  }

  add(id: string): void {
    const number = Number(id);
    if (!Number.isSafeInteger(number) || String(number) !== id) return void this.#others.add(id);
    if (this.#first === this.#end) [this.#first, this.#end] = [number, number];
    if (number === this.#end) this.#end++;
    else this.#others.add(id);
  }
}

function isOfModern({ params }: Request): boolean {
  const version = metaOf(params)[META.protocolVersion];
  return typeof version === 'string' && isModern(version);
}

/** Reports whether a recorded client used an id for several requests. */
function reusesIds(entries: readonly SessionEntry[]): boolean {
  const ids = entries.flatMap(({ from, json, message }) =>
    from === 'client' && json && isRequest(message) ? [scalarKeyAt(json, ['id'])] : [],
  );
  return new Set(ids).size < ids.length;
}
