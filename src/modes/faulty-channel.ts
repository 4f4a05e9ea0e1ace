import type { Channel } from '../channel/channel.ts';
import type { CloseFrame, Frame, Side, WireFrame } from '../channel/frame.ts';
import { lineToMessage } from '../channel/line-to-message.ts';
import type { Counters, Fired } from '../faults/engine/fault-injector.ts';
import { SwitchableFaultInjector } from '../faults/engine/switchable-fault-injector.ts';
import type { FaultTransport } from '../faults/fault.ts';
import { FAULTS } from '../faults/fault-table.ts';
import { checkNoticeable } from '../faults/rules/check-noticeable.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import { parseFaultRules, parseShortRule, type RulesSource, unfitFor } from '../faults/rules/parse-fault-rules.ts';
import { parseOnAnyTransport } from '../faults/rules/parse-on-any-transport.ts';
import { type UsesMethod, unknownRuleMethod } from '../faults/rules/unknown-rule-method.ts';
import type { When } from '../faults/rules/when.ts';
import type { Clock } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { isObject } from '../protocol/message.ts';
import { encodeLine } from '../transports/stdio/encode-line.ts';
import { LineDecoder } from '../transports/stdio/line-decoder.ts';

/**
 * A rule as in scenario files: `{ do: 'cut', when: { method: 'tools/call', nth: 2 } }`, with the fault's parameters as
 * further members.
 */
export interface WrittenRule {
  /** The fault's name: see docs/faults.md. */
  do: string;
  when?: When;
  /** Maximum number of times that it fires. Absent: on every match. */
  times?: number;
  /** Probability of firing on a match, from 0 to 1. Absent: 1. */
  probability?: number;
  [parameter: string]: unknown;
}

/**
 * A fault rule: as data, as returned by a function of `mcp-record/faults`, or as a short string like after `--fault`:
 * `fault`, `fault:method` or `fault:method:name=value,name=value`, such as `cut:tools/call:nth=2`.
 */
export type FaultRule = string | WrittenRule | Rule;

export interface ChannelFaultOptions {
  /** Seed for the randomness of faults. Equal seeds give equal faults. */
  seed: number;
  /** As {@link FaultInjectorOptions.counters}. */
  counters?: Counters | undefined;
  clock: Clock;
  /** Called for every rule that fires, before the fault is injected. */
  onFired?(fired: Fired): void;
  /** Called when a fault has ended the server's output, or the server. */
  ended?(): void;
  /**
   * Ends the server when a fault ends the client's output, as servers over stdio do. Absent: the server does it itself.
   */
  exitsWithClient?: boolean;
  /** Over stdio, faults change the bytes of lines, and `pause` stops reading the client's. Default: whole messages in memory. */
  stdio?: { pause(paused: boolean): void } | undefined;
  /** Called when a fault throws. */
  failed(error: McpRecordError): void;
}

/** A channel that injects faults into the frames of both sides. */
export interface FaultyChannel {
  channel: Channel;
  /** Replaces all rules. The new ones count messages from here. Without rules every frame passes. */
  use(rules: readonly Rule[]): void;
  /** The injected faults, in order. */
  fired: readonly Fired[];
  /** One sentence per unfired rule. */
  readonly unfired: string[];
  /** Drops held frames. No frame passes after this. */
  stop(): void;
}

/**
 * Parses rules and checks that their faults work over `transport`. Absent: over any transport. `usesMethod` reports
 * whether the peers use a method that MCP does not have. Absent: they use none.
 * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export function parseFaultRuleList(
  rules: readonly FaultRule[],
  transport?: FaultTransport,
  usesMethod?: UsesMethod,
): Rule[] {
  if (!Array.isArray(rules)) throw badRule('this session', `they are of the type ${typeNameOf(rules)}, and no list`);
  return rules.map((rule: FaultRule, index) => {
    if (typeof rule !== 'string' && !isObject(rule))
      throw badRule(nameOf(index), `a rule of the type ${typeNameOf(rule)} is none`);
    const name = nameOf(index);
    if (isRule(rule)) return checkedRule(rule, name, transport, usesMethod);
    const parse = (on: FaultTransport) => parseRule(rule, on, { name, usesMethod });
    return transport === undefined ? parseForAnyTransport(rule, parse) : parse(transport);
  });
}

/**
 * Parses the rules of a mock server, which tests its client.
 * @throws McpRecordError as {@link parseFaultRuleList}, and FAULT_NO_MEANING for a fault that the client cannot notice
 */
export function parseMockServerFaults(
  faults: readonly FaultRule[],
  transport: FaultTransport,
  usesMethod?: UsesMethod,
): Rule[] {
  const rules = parseFaultRuleList(faults, transport, usesMethod);
  checkNoticeable(rules, { tested: 'client', name: 'this mock server' });
  return rules;
}

function badRule(where: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'FAULT_BAD_RULE',
    what: `Cannot use the faults of ${where}`,
    why,
    next: "Write a list such as [{ do: 'cut', when: { method: 'tools/call' } }], [cut({ on: 'tools/call' })] or ['cut:tools/call'].",
  });
}

function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function parseForAnyTransport(rule: string | WrittenRule, parse: (transport: FaultTransport) => Rule): Rule {
  const name = typeof rule === 'string' ? rule.split(':', 1)[0]! : rule.do;
  return parseOnAnyTransport(FAULTS.get(name)?.transports ?? [], parse);
}

function parseRule(
  rule: string | WrittenRule,
  transport: FaultTransport,
  source: Pick<RulesSource, 'name' | 'usesMethod'>,
): Rule {
  if (typeof rule === 'string') return parseShortRule(rule, transport, source);
  return parseFaultRules({ faults: [rule] }, { ...source, transport }).rules[0]!;
}

/** Reports whether the rule was created by a function and needs no parsing. */
function isRule(rule: FaultRule): rule is Rule {
  // Written rules name their fault in `do`.
  return typeof rule === 'object' && 'fault' in rule && isObject(rule.fault) && rule.fault.kind !== undefined;
}

/** Checks the rule of a function, which knew neither the transport nor the peers. */
function checkedRule(
  rule: Rule,
  name: string,
  transport: FaultTransport | undefined,
  usesMethod: UsesMethod | undefined,
): Rule {
  const what = `Cannot use the faults of ${name}`;
  const unknown = unknownRuleMethod({ ...rule.fault.kind.when, ...rule.when }, usesMethod);
  if (unknown) throw new McpRecordError({ code: 'FAULT_BAD_RULE', what, ...unknown });
  const unfit = transport && unfitOn(transport, rule);
  if (!unfit) return rule;
  const [why, next] = unfit;
  throw new McpRecordError({ code: 'FAULT_NO_MEANING', what, why, next });
}

function unfitOn(transport: FaultTransport, { fault, when }: Rule): [why: string, next: string] | undefined {
  const { name, transports } = fault.kind;
  if (transports.includes(transport)) return unfitFor(fault, when, transport);
  return [`"${name}" has no meaning over ${transport}`, `It works over ${transports.join(', ')}.`];
}

function nameOf(index: number): string {
  return `this session (rule ${index + 1})`;
}

/** Returns a channel that injects faults between a client and the server's end `end`. */
export function faultyChannel(end: Channel, options: ChannelFaultOptions): FaultyChannel {
  const { seed, counters, clock, onFired, ended, exitsWithClient = false, stdio, failed } = options;
  let receive: (frame: WireFrame) => void = () => {};
  /** Sides that have ended their output, without a fault. */
  const haveEnded = new Set<Side>();
  let isExited = false;
  const send = (frame: WireFrame) => {
    if (frame.from === 'client') {
      if (frame.kind === 'bytes') return damaged.write(frame.data, frame.at);
      const isClose = frame.kind === 'close' && exitsWithClient;
      const isByFault = isClose && !haveEnded.has('client');
      if (isByFault) ended?.();
      else if (isClose) haveEnded.add('server');
      receive(frame);
      if (isByFault || (isClose && stdio)) exit(frame);
    } else if (!isExited) {
      end.send(frame);
      isExited = frame.kind === 'exit';
      if ((isExited || frame.kind === 'close') && !haveEnded.has('server')) ended?.();
    }
  };
  const exit = ({ at, how }: CloseFrame) => {
    send({ kind: 'close', at, from: 'server', ...(how && { how }) });
    send({ kind: 'exit', at, from: 'server', status: how === undefined ? 0 : 'SIGKILL' });
  };
  const damaged = new LineDecoder({
    ...{ from: 'client', on: 'protocol' },
    line: (line) => receive(lineToMessage(line)),
  });
  const encode = (frame: Frame) => (stdio && encodeLine(frame)) ?? NO_BYTES;
  const fired: Fired[] = [];
  const injector = new SwitchableFaultInjector({
    seed,
    ...(counters && { counters }),
    clock,
    fired: (one) => {
      fired.push(one);
      onFired?.(one);
    },
    failed,
    transport: stdio ? 'stdio' : 'memory',
    encode,
    ...(stdio && { pause: (_side: Side, paused: boolean) => stdio.pause(paused) }),
    measure: (frame) => {
      if (stdio) return encode(frame).length;
      return frame.kind === 'message' ? Buffer.byteLength(frame.json.text) : 0;
    },
    send,
  });
  const take = (frame: WireFrame) => {
    if (frame.kind === 'close' || frame.kind === 'exit') haveEnded.add(frame.from);
    injector.push(frame);
  };
  return {
    channel: {
      ...end,
      listen(listener) {
        receive = listener;
        end.listen(take);
        // In memory, no fault begins before the first message.
        if (stdio) injector.begin();
      },
      send(frame) {
        take(frame);
        return true;
      },
    },
    use: (rules) => injector.use(rules),
    fired,
    get unfired() {
      return injector.everUnfired;
    },
    stop: () => injector.stop(),
  };
}

/** Frames in memory are never encoded. */
const NO_BYTES = new Uint8Array(0);
