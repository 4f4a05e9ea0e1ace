import type { Frame, Side, WireFrame } from '../channel/frame.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import type { Random } from '../kernel/random.ts';
import type { Params, Values, Written } from './rules/fault-params.ts';
import type { When } from './rules/when.ts';

/** Where a fault may happen. */
export type FaultTransport = 'stdio' | 'http' | 'memory';

/** What a fault works with. */
export interface FaultContext {
  clock: Clock;
  /** The rule's own sequence. */
  random: Random;
  /** The side whose traffic misbehaves here. */
  from: Side;
  /** Where it happens. */
  ground: FaultTransport;
  /** HTTP: the path of the MCP endpoint. */
  path?: string;
  /** The bytes of a frame as this transport writes them; empty for a frame that has none. */
  encode(frame: Frame): Uint8Array;
  /** Passes a frame on, in place of what came, or beside it. What `from` says goes to the other side. */
  next(frame: WireFrame): void;
  /** Sends bytes unchanged on the protocol stream. */
  write(data: Uint8Array): void;
  /** Says a frame back to `from`, as if the other side had said it. */
  back(frame: WireFrame): void;
  /** Runs `task` after `delay`, unless the session ends first. */
  later(delay: number, task: () => void): void;
  /** Stops reading `from` until called with false, so that it blocks when it writes on. */
  pause(paused: boolean): void;
  /** HTTP: ends every connection, and takes none for so long. */
  down(time: Milliseconds): void;
}

/** An active fault on one side's traffic, for one rule. */
export interface FaultInstance {
  /** The fault has ended its stream or session. Its rule fires no more. */
  readonly isOver?: boolean;
  /**
   * The fault holds nothing and passes every other frame unchanged, so these may bypass it. Absent: it sees them if it
   * has a `pass`.
   */
  readonly isIdle?: boolean;
  /** Takes a frame that the rule fires on. */
  hit(frame: Frame): void;
  /** Takes every other frame. Absent: it passes. */
  pass?(frame: WireFrame): void;
  /** Sees what the other side says, before it goes on its way. True: it goes no further, and is for us to answer. */
  intercept?(frame: Frame): boolean;
  /** Sees what the other side says, after it went on its way or was kept. */
  other?(frame: Frame): void;
  /** The server is there, and nobody has said anything: for rules about that (`kind: start`). */
  begin?(): void;
}

/** How a rule uses a fault. */
export interface Use<P extends Params = Params> {
  values: Values<P>;
  /** What the rule selects, with what the kind adds. */
  when: When;
  ground: FaultTransport;
}

/** A kind of misbehaviour. */
export interface FaultKind<P extends Params = Params> {
  name: string;
  /** What happens, in one sentence, for people. */
  doc: string;
  /** Where it means something. */
  grounds: readonly FaultTransport[];
  params: P;
  /** What a rule with this fault selects where it does not say otherwise. Absent: every message of the server. */
  when?: When;
  /** Whether a frame has what this fault is about, such as a token. Rules fire on no other. Absent: every frame has. */
  concerns?(frame: Frame, values: Values<P>): boolean;
  /** How often a rule fires at most where it does not say. Absent: on every match. */
  times?: number;
  /** Returns why this use has no meaning, although the transport is supported. Absent: every use has one. */
  unfit?(use: Use<P>): string | undefined;
  /** HTTP: `session`: what it holds or remembers is of all streams. Absent: each stream has its own. */
  span?: 'session';
  start(values: Values<P>, tools: FaultContext): FaultInstance;
}

/** A fault with its parameters, ready for a rule. */
export interface Fault {
  kind: FaultKind;
  values: Record<string, unknown>;
}

/** A kind, which called with parameters is a fault: `latency({ delay: 50 })`. */
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
