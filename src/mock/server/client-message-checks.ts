import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, paramsOf, type Request } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import {
  BATCH_REVISION,
  shortened,
  unreadableMessage,
  unreadableText,
} from '../../replay/findings/unreadable-messages.ts';

/**
 * Reports messages of a client that servers of the SDKs do not answer, or refuse, though a mock server answers them:
 * each reason once in a session.
 */
export class ClientMessageChecks {
  readonly #report: (finding: Finding) => void;
  readonly #reported = new Set<string>();
  /** Whether client or server named the only revision with batches. */
  #hasBatches = false;

  constructor(report: (finding: Finding) => void) {
    this.#report = report;
  }

  /** Checks a message or batch of the client. */
  received(json: JsonText): void {
    for (const { value } of elementsOf(json)) if (isRequest(value)) this.#noteRevision(paramsOf(value));
    const unreadable = unreadableMessage(json);
    if (unreadable && !(unreadable.why === 'batch' && this.#hasBatches))
      this.#once(unreadable.why, unreadableText(unreadable));
    for (const one of elementsOf(json)) this.#check(one);
  }

  /** Notes a result of the server, which may state the revision. */
  answered(result: Record<string, unknown>): void {
    this.#noteRevision(result);
  }

  #noteRevision({ protocolVersion }: Record<string, unknown>): void {
    this.#hasBatches ||= protocolVersion === BATCH_REVISION;
  }

  #check({ value, text }: JsonText): void {
    if (!isObject(value) || typeof value.method !== 'string') return;
    if ('id' in value && !isValidId(value.id))
      this.#once('id', `The client sent a request whose id is no string or integer: ${shortened(text)}`);
    if (!isRequest(value)) return;
    const problem = problemOf(value);
    const subject = subjectOf(value.method, value.params);
    if (problem !== undefined) this.#once(`${subject} ${problem}`, `The client sent a bad ${subject}: ${problem}.`);
  }

  #once(reason: string, text: string): void {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#report({ kind: 'differs', text });
  }
}

/** Reports whether an id is one that JSON-RPC and MCP allow for a request. */
function isValidId(id: unknown): boolean {
  return typeof id === 'string' || Number.isInteger(id);
}

/** Returns what the specification requires of the params of a request, and they lack. */
function problemOf({ method, params }: Request): string | undefined {
  const given = paramsOf({ params });
  if (method === 'initialize') return problemOfInitialize(given);
  const hasArguments = method === 'tools/call' || method === 'prompts/get';
  if (hasArguments && 'arguments' in given && !isObject(given.arguments)) return 'its arguments are no object';
  return undefined;
}

function problemOfInitialize({
  protocolVersion,
  capabilities,
  clientInfo,
}: Record<string, unknown>): string | undefined {
  if (typeof protocolVersion !== 'string') return 'its protocolVersion is no string';
  if (!isObject(capabilities)) return 'its capabilities are no object';
  if (!isObject(clientInfo)) return 'its clientInfo is no object';
  const { name, version } = clientInfo;
  return typeof name === 'string' && typeof version === 'string' ? undefined : 'its clientInfo lacks name or version';
}
