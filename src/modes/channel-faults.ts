import type { Channel } from '../channel/channel.ts';
import type { WireFrame } from '../channel/frame.ts';
import type { Fired } from '../faults/engine/fault-injector.ts';
import { SwitchableFaultInjector } from '../faults/engine/switchable-fault-injector.ts';
import type { FaultTransport } from '../faults/fault.ts';
import { FAULTS } from '../faults/fault-table.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import { parseFaultRules } from '../faults/rules/parse-fault-rules.ts';
import type { When } from '../faults/rules/when.ts';
import type { Clock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';

/** A rule as scenarios write it: `{ do: 'cut', when: { method: 'tools/call', nth: 2 } }`, the fault's parameters beside. */
export interface WrittenRule {
  /** The fault's name: see docs/faults.md. */
  do: string;
  when?: When;
  /** How often it fires at most. Absent: on every match. */
  times?: number;
  /** How likely it fires on a match, from 0 to 1. Absent: 1. */
  probability?: number;
  [parameter: string]: unknown;
}

/** A rule as it is written, or as a function of `mcp-record/faults` makes it. */
export type FaultRule = WrittenRule | Rule;

export interface ChannelFaultOptions {
  /** Same seed, same faults. */
  seed: number;
  clock: Clock;
  /** Called for every rule that fires, before the fault is injected. */
  onFired?(fired: Fired): void;
  /** Told of a fault that threw. */
  failed(error: McpRecordError): void;
}

/** A channel whose two sides misbehave. */
export interface FaultyChannel {
  channel: Channel;
  /** These rules hold from now on, in place of those before; they count messages from here. None: all passes. */
  use(rules: readonly Rule[]): void;
  /** What has happened, in order. */
  fired: readonly Fired[];
  /** Which rules have not, in words. */
  readonly unfired: string[];
  /** Drops what is held. Nothing passes after this. */
  stop(): void;
}

/**
 * Rules that have a meaning on `ground`; absent: each on some.
 * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export function rulesFor(rules: readonly FaultRule[], ground?: FaultTransport): Rule[] {
  return rules.map((rule, index) => {
    if (isRule(rule)) return meaningful(rule, index, ground);
    return ground === undefined ? readSomewhere(rule, index) : read(rule, index, ground);
  });
}

function readSomewhere(rule: WrittenRule, index: number): Rule {
  const [usual = 'memory', ...others] = FAULTS.get(rule.do)?.grounds ?? [];
  try {
    return read(rule, index, usual);
  } catch (error) {
    for (const ground of others) {
      try {
        return read(rule, index, ground);
      } catch {
        // What is wrong with it is said of the first.
      }
    }
    throw error;
  }
}

function read(rule: WrittenRule, index: number, ground: FaultTransport): Rule {
  return parseFaultRules({ faults: [rule] }, { name: nameOf(index), ground }).rules[0]!;
}

/** Whether it is one that was read, and not as it is written. */
function isRule(rule: FaultRule): rule is Rule {
  return 'fault' in rule && typeof rule.fault === 'object';
}

function meaningful(rule: Rule, index: number, ground: FaultTransport | undefined): Rule {
  const { name, grounds } = rule.fault.kind;
  if (ground === undefined || grounds.includes(ground)) return rule;
  throw new McpRecordError({
    code: 'FAULT_NO_MEANING',
    what: `Cannot use the faults of ${nameOf(index)}`,
    why: `"${name}" has no meaning over ${ground}`,
    next: `It works over ${grounds.join(', ')}.`,
  });
}

function nameOf(index: number): string {
  return `this session (rule ${index + 1})`;
}

/** The server's end of a session whose traffic misbehaves as it was last told. */
export function faultyChannel(end: Channel, options: ChannelFaultOptions): FaultyChannel {
  const { seed, clock, onFired, failed } = options;
  let receive: (frame: WireFrame) => void = () => {};
  const send = (frame: WireFrame) => {
    if (frame.from === 'client') receive(frame);
    else end.send(frame);
  };
  const fired: Fired[] = [];
  const traffic = new SwitchableFaultInjector({
    seed,
    clock,
    fired: (one) => {
      fired.push(one);
      onFired?.(one);
    },
    failed,
    encode: () => NOTHING,
    send,
  });
  const take = (frame: WireFrame) => traffic.push(frame);
  return {
    channel: {
      ...end,
      listen(listener) {
        receive = listener;
        end.listen(take);
      },
      send(frame) {
        take(frame);
        return true;
      },
    },
    use: (rules) => traffic.use(rules),
    fired,
    get unfired() {
      return traffic.everUnfired;
    },
    stop: () => traffic.stop(),
  };
}

/** Between two ends in memory there are no bytes. */
const NOTHING = new Uint8Array(0);
