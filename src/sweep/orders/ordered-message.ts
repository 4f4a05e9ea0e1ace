import { isObject, isRequest, type Params } from '../../protocol/message.ts';

/** Message of the recorded side whose messages a sweep reorders, with those of that side that must come before it. */
export interface OrderedMessage {
  /** Position among the messages of its side, from 1. */
  message: number;
  /** Line of the cassette. */
  line: number;
  /** Title of the message. */
  title: string;
  /** Arguments of the call, or of the call that it answers. Absent: there are none. */
  arguments?: Params;
  /** HTTP: the stream that carries it. Undefined: all messages share one stream. */
  stream: string | undefined;
  /** Whether it only reports on its request, or logs. */
  isReport: boolean;
  /** Number of the session's first messages that must all come before it. */
  after: number;
  /** Indexes of further messages that must come before it, not below `after`. */
  alsoAfter: ReadonlySet<number>;
}

/** Returns the arguments of a call. */
export function argumentsOf(request: unknown): Pick<OrderedMessage, 'arguments'> {
  const params = isRequest(request) ? request.params : undefined;
  return isObject(params) && isObject(params.arguments) ? { arguments: params.arguments } : {};
}

/** Returns an order without the messages that `isKept` refuses. */
export function withoutMessages(
  messages: readonly OrderedMessage[],
  isKept: (message: OrderedMessage) => boolean,
): OrderedMessage[] {
  /** Number of kept messages before each message. */
  const before: number[] = [0];
  for (const [index, one] of messages.entries()) before.push(before[index]! + (isKept(one) ? 1 : 0));
  return messages.filter(isKept).map((one) => {
    const kept = [...one.alsoAfter].filter((index) => isKept(messages[index]!)).map((index) => before[index]!);
    return { ...one, ...compacted(before[one.after]!, new Set(kept)) };
  });
}

/** Reports whether the message at `first` must come before the one at `second`. */
export function mustPrecede(messages: readonly OrderedMessage[], first: number, second: number): boolean {
  const { after, alsoAfter } = messages[second]!;
  return first < after || alsoAfter.has(first);
}

/** What comes before a message. */
export type EarlierMessages = Pick<OrderedMessage, 'after' | 'alsoAfter'>;

/** Adds what must come before the messages that must come before a message. `direct`: their indexes in `found`. */
export function withEarlierOnes(
  found: readonly EarlierMessages[],
  { after, direct }: { after: number; direct: readonly number[] },
): EarlierMessages {
  const all = new Set(direct);
  let first = after;
  for (const one of [...all]) {
    first = Math.max(first, found[one]!.after);
    for (const other of found[one]!.alsoAfter) all.add(other);
  }
  return compacted(first, all);
}

/** Returns the same messages, with as many as possible of them in `after`. */
function compacted(after: number, all: ReadonlySet<number>): EarlierMessages {
  let first = after;
  while (all.has(first)) first++;
  return { after: first, alsoAfter: new Set([...all].filter((one) => one >= first)) };
}
