import type { Frame, Side } from '../../channel/frame.ts';
import { type Id, isRequest, isResponse } from '../../protocol/message.ts';
import type { Rule } from '../rules/fault-rule.ts';

/** Firing of a rule. */
export interface Fired {
  /** Position among the rules, from 1. */
  rule: number;
  fault: string;
  from: Side;
  /** Position among the messages of that side, from 1. */
  message: number;
  /** Line of the cassette that a mock server has played the message from. */
  line?: number;
  method?: string;
  /** Id of the request or response. */
  id?: Id;
  /** HTTP: the exchange, counted from 1. */
  stream?: number;
}

/** Match of a rule whose fault changed nothing, so that the rule did not fire. */
export interface Unchanged extends Fired {
  /** Reason: for example, the cut position is beyond the message's end. */
  unchanged: string;
}

/** Details of a match. */
export interface Noted extends Pick<Fired, 'from' | 'message'> {
  line?: number | undefined;
  method?: string | undefined;
  id?: Id | undefined;
  stream?: number | undefined;
}

/** Creates the record of a firing. `number`: position of the rule, from 1. */
export function firedOf(
  { number, rule }: { number: number; rule: Rule },
  { from, message, line, method, id, stream }: Noted,
): Fired {
  const fired: Fired = { rule: number, fault: rule.fault.kind.name, from, message };
  if (line !== undefined) fired.line = line;
  if (method !== undefined) fired.method = method;
  if (id !== undefined) fired.id = id;
  if (stream !== undefined) fired.stream = stream;
  return fired;
}

/** Returns the id of a request or response. */
export function idOf(frame: Frame): Id | undefined {
  const message = frame.kind === 'message' ? frame.json.value : undefined;
  return isRequest(message) || isResponse(message) ? (message.id ?? undefined) : undefined;
}
