import { type CassetteEvent, FORMAT } from '../../cassette/cassette.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { MessageFrame, Side } from '../../channel/frame.ts';
import { type BrokenRule, checkRules } from '../../lint/check-rules.ts';
import type { LintRule } from '../../lint/lint-rule.ts';
import { sessionForRules } from '../../lint/session-for-rules.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject, isResponse, type Response } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { shortened } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';

/** Number of messages of a session that are checked. Later messages are ignored. */
export const CHECKED_MESSAGES_MAX = 100_000;

/** Header of a session whose handshake is complete, as in a recording. */
const HEADER = { format: FORMAT, recorder: 'mcp-record', transport: 'stdio' } as const;

/** Members of a result that rules read. Others are not kept, since they may be long. */
const READ_MEMBERS = [
  'protocolVersion',
  'capabilities',
  'nextCursor',
  'requestState',
  'resultType',
  'inputRequests',
  'task',
];

export interface CheckedResponse {
  /** Id as a JSON token. */
  id: string;
  response: Pick<Response, 'result' | 'error'>;
  /** Number of the response's HTTP exchange. */
  stream?: number | undefined;
}

/** Messages of a session with a peer under test, for checks by the lint rules. */
export class CheckedSession {
  readonly #peer: Side;
  #events: CassetteEvent[] = [];

  constructor(peer: Side) {
    this.#peer = peer;
  }

  /** Adds a request, a notification or an invalid message. `stream`: number of its HTTP exchange. */
  add(from: Side, { text }: JsonText, stream?: number): void {
    this.#add(from, text, stream);
  }

  /** Adds a response of a side. */
  addResponse(from: Side, { id, response: { result, error }, stream }: CheckedResponse): void {
    const members = JSON.stringify({ jsonrpc: '2.0', result: isObject(result) ? readMembers(result) : result, error });
    this.#add(from, `${members.slice(0, -1)},"id":${id}}`, stream);
  }

  /** Returns a finding for each rule that the peer has broken so far. */
  findings(rules: readonly LintRule[]): Finding[] {
    const session = sessionForRules({ header: HEADER, events: this.#events }, { isOneClient: true });
    const broken = checkRules(session, rules).filter(({ who }) => who === this.#peer);
    const byRule = new ListMap<LintRule, BrokenRule>();
    for (const one of broken) byRule.add(one.rule, one);
    return [...byRule.values()].map((all) => ({ kind: 'differs', text: textOf(all) }));
  }

  /** Forgets all messages. */
  clear(): void {
    this.#events = [];
  }

  #add(from: Side, text: string, stream: number | undefined): void {
    if (this.#events.length >= CHECKED_MESSAGES_MAX) return;
    // A new `JsonText` does not keep the parsed value of the message in memory.
    const frame: MessageFrame = { kind: 'message', at: 0, from, json: new JsonText(text) };
    if (stream !== undefined) frame.stream = stream;
    this.#events.push({ frame, line: this.#events.length + 1 });
  }
}

/** Returns the members of a result that rules read. */
function readMembers(result: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const name of READ_MEMBERS) if (result[name] !== undefined) read[name] = result[name];
  return read;
}

/** Returns a sentence about a broken rule: the message, the violation and the rule. */
function textOf([first, ...others]: readonly BrokenRule[]): string {
  const { rule, who, entry, why } = first!;
  const again = others.length === 0 ? '' : ` (${others.length} more)`;
  return `The ${who} sent ${titleOf(entry.json!)}, which the specification does not allow: ${why}${again} [${rule.id}]\n  ${rule.sentence} (${rule.source})`;
}

function titleOf({ value, text }: JsonText): string {
  if (isObject(value) && typeof value.method === 'string') return subjectOf(value.method, value.params);
  return isResponse(value) ? 'a response' : shortened(text);
}
