import type { Frame, WireFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { isNotification } from '../../protocol/message.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { milliseconds, type Param, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Lines = Param<readonly number[]>;
type Takes = { lines: Lines; moved: Lines; wait: WithFallback<Milliseconds>; gap: WithFallback<Milliseconds> };

/**
 * Default of the gap before a message that the transport does not keep apart from the one before. Over HTTP, streams are
 * independent. Over stdio, SDK clients lose a notification that is read together with the response after it
 * (`STDIO_PROGRESS_GAP`), and messages of one read look simultaneous. A slower machine needs a longer gap.
 */
export const ORDER_GAP: Milliseconds = 20;

const params: Takes = {
  lines: lineNumbers('lines of messages, in the order in which they are sent'),
  moved: lineNumbers('those of them that are not sent as recorded'),
  wait: withDefault(milliseconds('how long it waits for the next message; then it goes on without that one'), 1_000),
  gap: withDefault(milliseconds('gap between messages that the client has to read one by one'), ORDER_GAP),
};

/** Number of gaps after a notification. */
const GAPS_AFTER_NOTIFICATION = 3;

/** Message of the order that waits for earlier ones, with the frames that follow it on its stream. */
interface Held {
  frame: Frame;
  followers: WireFrame[];
}

/**
 * Sends messages in a given order, by their lines in the cassette. The rule fires as soon as all moved messages are there
 * to be sent. `when.line` has to be one of them. Sweeps of orders use it.
 */
export const order: DefinedFault<Takes> = defineFault({
  name: 'order',
  doc: 'Messages are sent in a given order.',
  transports: ['stdio', 'http', 'memory'],
  params,
  isOfMessages: true,
  span: 'session',
  awaits: 'the session ended before all messages of this order could be sent',
  start({ lines, moved, wait, gap }, { line, transport, next, later, happened, cameToNothing }) {
    const held = new Map<number, Held>();
    const arrived = new Set<number>();
    /** Number of lines that have been sent or skipped. */
    let done = 0;
    let last: Sent | undefined;
    /** Frame that the rule matches, until the rule has fired or cannot fire any more. */
    let matched: Frame | undefined;
    let vain: string | undefined;
    let isPausing = false;
    let stopWaiting: (() => void) | undefined;
    const settle = () => {
      if (matched === undefined) return;
      if (vain !== undefined) cameToNothing(matched, vain);
      else if (moved.every((one) => arrived.has(one))) happened(matched);
      else return;
      matched = undefined;
    };
    const give = ({ frame, followers }: Held, at: number) => {
      last = { frame, line: at };
      next(frame);
      for (const one of followers) next(one);
    };
    /** Returns a held message, and one that it waits for although that was recorded later. */
    const heldBack = (): { waiting: number; missing: number } | undefined => {
      for (const waiting of held.keys()) {
        const missing = lines.slice(done, lines.indexOf(waiting)).find((one) => one > waiting && !arrived.has(one));
        if (missing !== undefined) return { waiting, missing };
      }
      return undefined;
    };
    /** Skips the messages that the first held one waits for. */
    const goOn = () => {
      const back = heldBack();
      if (back)
        vain ??= `the message at line ${back.missing} had not come ${Math.round(wait)} ms after the one at line ${back.waiting}: the client waits for that one first`;
      done = lines.findIndex((one) => held.has(one));
      settle();
      advance();
    };
    /** Sends all held frames in their order, without further waiting. */
    const release = () => {
      const [rest, stop] = [
        lines.flatMap((one) => (held.has(one) ? [[one, held.get(one)!] as const] : [])),
        stopWaiting,
      ];
      stopWaiting = undefined;
      held.clear();
      done = lines.length;
      for (const [at, one] of rest) give(one, at);
      // Last, since the end of the session may have waited for these frames.
      stop?.();
    };
    const advance = () => {
      if (isPausing) return;
      const stop = stopWaiting;
      stopWaiting = undefined;
      for (let due = held.get(lines[done]!); due && !isPausing; due = held.get(lines[done]!)) {
        const time = last ? gapsBetween(last, { frame: due.frame, line: lines[done]! }, transport) * gap : 0;
        if (time > 0) pause(time);
        else {
          held.delete(lines[done]!);
          give(due, lines[done]!);
          done++;
        }
      }
      if (held.size > 0 && !isPausing) stopWaiting = later(wait, goOn);
      stop?.();
    };
    const pause = (time: Milliseconds) => {
      isPausing = true;
      last = undefined;
      later(time, () => {
        isPausing = false;
        advance();
      });
    };
    const take = (frame: Frame, at: number) => {
      arrived.add(at);
      held.set(at, { frame, followers: [] });
      settle();
      advance();
    };
    const isAwaited = (at: number | undefined): at is number =>
      at !== undefined && lines.indexOf(at) >= done && !arrived.has(at);
    return {
      hit(frame) {
        matched = frame;
        const at = line();
        if (isAwaited(at)) return take(frame, at);
        settle();
        next(frame);
      },
      pass(frame) {
        const at = frame.kind === 'message' ? line() : undefined;
        if (frame.kind === 'message' && isAwaited(at)) return take(frame, at);
        if (frame.kind === 'exit' || (frame.kind === 'close' && frame.stream === undefined)) release();
        const before = isOnStream(frame) ? followed(held.values(), frame) : undefined;
        if (before) before.followers.push(frame);
        else next(frame);
      },
      other(frame) {
        // After the end of its input, a client sends nothing that a message could wait for.
        if (frame.kind !== 'close' || frame.stream !== undefined || held.size === 0 || isPausing) return;
        if (heldBack()) vain ??= 'the client ended while a message was held back for one that was recorded later';
        settle();
        release();
      },
    };
  },
});

/** Reports whether a frame follows others on an HTTP stream. The head of a response precedes all of them. */
function isOnStream(frame: WireFrame): frame is WireFrame & { stream: number } {
  return frame.kind !== 'http-response' && 'stream' in frame && frame.stream !== undefined;
}

function followed(held: Iterable<Held>, { stream }: WireFrame & { stream: number }): Held | undefined {
  return [...held].findLast(({ frame }) => frame.stream === stream);
}

interface Sent {
  frame: Frame;
  line: number;
}

/** Returns the number of gaps between two messages. */
function gapsBetween(last: Sent, due: Sent, transport: string): number {
  if (last.frame.kind === 'message' && isNotification(last.frame.json.value)) return GAPS_AFTER_NOTIFICATION;
  return due.line < last.line || (transport === 'http' && last.frame.stream !== due.frame.stream) ? 1 : 0;
}

function lineNumbers(doc: string): Lines {
  const isList = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length > 0 && value.every(Number.isInteger);
  return { doc, wanted: 'a list of lines', read: (value) => (isList(value) ? value : undefined) };
}
