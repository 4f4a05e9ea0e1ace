import type { Frame, Side, WireFrame } from '../channel/frame.ts';
import type { Cancel, Clock, Milliseconds } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { Params, Values, Written } from './rules/declare-fault-params.ts';
import type { When } from './rules/when.ts';

/** Transports of faults. */
export type FaultTransport = 'stdio' | 'http' | 'memory';

/** Tools that a fault works with. */
export interface FaultContext {
  clock: Clock;
  /** Random sequence of the rule. */
  random: Random;
  /** Side with the faulty traffic. */
  from: Side;
  /** Transport of the session. */
  transport: FaultTransport;
  /** HTTP: the path of the MCP endpoint. */
  path?: string;
  /** Encodes a frame as the transport does. Frames without bytes give an empty array. */
  encode(frame: Frame): Uint8Array;
  /** Returns the number of bytes that a frame has on the transport. Unlike `encode`, it announces nothing. */
  measure(frame: Frame): number;
  /**
   * Returns the line of the cassette that the message at hand is played from. Undefined: the message is in none, or is
   * one of the client.
   */
  line(): number | undefined;
  /** Forwards a frame to the other side, replacing or accompanying the original frame. */
  next(frame: WireFrame): void;
  /** Sends bytes unchanged on the protocol stream. */
  write(data: Uint8Array): void;
  /** Sends a frame back to its sender `from`, disguised as a frame of the other side. */
  back(frame: WireFrame): void;
  /**
   * Runs `task` after `delay`, unless the session ends first. The end of the server waits for `task`, unless no frame is
   * held until then. The returned function calls `task` off.
   */
  later(delay: number, task: () => void, options?: { holdsNoFrame?: boolean }): Cancel;
  /** Stops reading `from`, so that its writes block. False resumes. */
  pause(paused: boolean): void;
  /** Closes every connection, and refuses new ones for `time`. HTTP only. */
  down(time: Milliseconds): void;
  /** Reports a change about a frame that `hit` took: the rule fires. For kinds with `awaits`. */
  happened(frame: Frame): void;
  /** Reports why nothing changed about a frame that `hit` took: the rule does not fire. For kinds with `awaits`. */
  cameToNothing(frame: Frame, why: string): void;
}

/** An active fault on one side's traffic, for one rule. */
export interface FaultInstance {
  /** Whether the fault has ended its stream or session. Its rule no longer fires. */
  readonly isOver?: boolean;
  /**
   * Whether the fault holds no frames and passes every other frame unchanged, so that frames may bypass it. Absent:
   * frames bypass it only if it has no `pass`.
   */
  readonly isIdle?: boolean;
  /**
   * Returns why the fault would change nothing about a frame that the rule matches. The rule does not fire then, and the
   * frame goes to `pass`. Otherwise `hit` follows at once. Absent: the fault changes something about every frame.
   */
  unchanged?(frame: Frame): string | undefined;
  /** Takes a frame that the rule fires on. */
  hit(frame: Frame): void;
  /** Takes every other frame. Absent: the frame passes. */
  pass?(frame: WireFrame): void;
  /**
   * Inspects a frame of the other side before forwarding. True: the fault answers the frame, which is not forwarded.
   */
  intercept?(frame: Frame): boolean;
  /** Inspects a frame of the other side after forwarding or interception. */
  other?(frame: Frame): void;
  /** Called when the server starts, before any frame, for rules with `kind: start`. */
  begin?(): void;
}

/** Use of a fault by a rule. */
export interface Use<P extends Params = Params> {
  values: Values<P>;
  /** Condition of the rule, with the defaults of the fault kind. */
  when: When;
  transport: FaultTransport;
}

/** Kind of misbehaviour. */
export interface FaultKind<P extends Params = Params> {
  name: string;
  /** Effect in one sentence, for people. */
  doc: string;
  /** Transports on which the fault makes sense. */
  transports: readonly FaultTransport[];
  params: P;
  /** Default condition of a rule with this fault. Absent: every message of the server. */
  when?: When;
  /**
   * Reports whether a frame contains the target of this fault, such as a token. Rules fire only on such frames. Absent:
   * rules fire on any frame.
   */
  concerns?(frame: Frame, values: Values<P>): boolean;
  /** Reason of a rule that never fired, because no matching frame contained that target: "it has no access token". */
  lacking?: string;
  /** Restricts the fault to messages. Rules then never fire on other frames, such as the end of a stream. */
  isOfMessages?: true;
  /**
   * Event that the fault needs, after a frame that it took, to change anything. The text is the reason of a rule that
   * never fired: "no client resumed the stream". Such a rule fires when the fault calls `happened`. Absent: a rule fires
   * as soon as the fault takes a frame.
   */
  awaits?: string;
  /**
   * Side of the message that can notice the fault, and which the fault therefore tests. Absent: both sides can. The
   * sender notices a missing, late or changed answer.
   */
  noticedBy?: 'receiver' | 'sender';
  /** Default limit of firings. Absent: no limit. */
  times?: number;
  /**
   * Returns why this use has no meaning on a supported transport, with advice if it is not to read the docs. Absent:
   * every use has a meaning.
   */
  unfit?(use: Use<P>): string | readonly [why: string, next: string] | undefined;
  /** HTTP: `session` means that all streams share one fault instance. Absent: each stream has its own. */
  span?: 'session';
  start(values: Values<P>, tools: FaultContext): FaultInstance;
}

/** A fault with its parameters, ready for a rule. */
export interface Fault {
  kind: FaultKind;
  values: Record<string, unknown>;
}

/** Fault kind that is also a function: called with parameters, it returns a fault, e.g. `latency({ delay: 50 })`. */
export type DefinedFault<P extends Params> = FaultKind<P> &
  (Record<never, never> extends Written<P> ? (written?: Written<P>) => Fault : (written: Written<P>) => Fault);

/** Defines a kind of fault. */
export function defineFault<const P extends Params>(kind: FaultKind<P>): DefinedFault<P> {
  const fallbacks = Object.fromEntries(
    Object.entries(kind.params).flatMap(([name, param]) => ('fallback' in param ? [[name, param.fallback]] : [])),
  );
  const use = (written?: Written<P>): Fault => ({
    kind: kind as unknown as FaultKind,
    values: { ...fallbacks, ...written },
  });
  return Object.defineProperties(use, Object.getOwnPropertyDescriptors(kind)) as unknown as DefinedFault<P>;
}
