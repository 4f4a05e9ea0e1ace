import type { Cassette } from '../../cassette/cassette.ts';
import type { Side } from '../../channel/frame.ts';
import { errorOf, isObject, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { type LintSession, sessionForRules } from '../session-for-rules.ts';
import { type ProtocolPart, TRANSPORTS } from './protocol-parts.ts';

/** Exercised part of the protocol, with its line in the cassette. */
export interface ExercisedPart extends ProtocolPart {
  line: number;
}

/** Parts of the protocol that a session exercises. */
export interface ExercisedParts {
  file: string;
  /** Revision of the session. Undefined: no message says it. */
  revision?: string;
  /** Exercised parts, one entry for each occurrence. */
  parts: readonly ExercisedPart[];
}

/** Returns what a cassette exercises: each message, declared capability and error code, and the transport. */
export function exercisedParts(cassette: Cassette): ExercisedParts {
  const session = sessionForRules(cassette);
  const { requests, notifications, responses, revision } = session;
  const parts: ExercisedPart[] = [
    ...requests.map(({ from, message, line }) => ({ kind: 'request' as const, from, name: message.method, line })),
    ...notifications.map(({ from, message, line }) => ({
      kind: 'notification' as const,
      from,
      name: message.method,
      line,
    })),
    ...responses.flatMap(({ message, line }) => [...inputRequests(message, line), ...errorCode(message, line)]),
    ...capabilities(session),
    ...transport(cassette, session),
  ];
  return { file: cassette.file, ...(revision !== undefined && { revision }), parts };
}

/** Returns the requests that a result asks the client to answer with its next request (2026-07-28). */
function inputRequests(message: unknown, line: number): ExercisedPart[] {
  const { resultType, inputRequests: asked } = resultOf(message);
  if (resultType !== 'input_required' || !isObject(asked)) return [];
  return Object.values(asked).flatMap((request): ExercisedPart[] =>
    isObject(request) && typeof request.method === 'string'
      ? [{ kind: 'input request', from: 'server', name: request.method, line }]
      : [],
  );
}

function errorCode(message: unknown, line: number): ExercisedPart[] {
  const code = errorOf(message)?.code;
  return typeof code === 'number' ? [{ kind: 'error', name: String(code), line }] : [];
}

/** Lists the capabilities that each side declares, in the handshake or in single requests. */
function capabilities({ requests, answer }: LintSession): ExercisedPart[] {
  return requests
    .filter(({ from }) => from === 'client')
    .flatMap((request) => {
      const { message, line } = request;
      const params = paramsOf(message);
      const isOpening = message.method === 'initialize' || message.method === 'server/discover';
      const answered = isOpening ? answer(request) : undefined;
      return [
        ...declared('client', params.capabilities, line),
        ...declared('client', metaOf(params)[META.clientCapabilities], line),
        ...(answered ? declared('server', resultOf(answered.message).capabilities, answered.line) : []),
      ];
    });
}

function declared(from: Side, value: unknown, line: number): ExercisedPart[] {
  return names(value).map((name) => ({ kind: 'capability', from, name, line }));
}

const NAMED_BY_OTHERS: ReadonlySet<string> = new Set(['experimental', 'extensions']);

/** Returns the names of declared capabilities. A capability that is false is not declared. */
function names(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (inner === false || inner === undefined || inner === null) return [];
    const below = NAMED_BY_OTHERS.has(name) && isObject(inner) ? Object.keys(inner) : names(inner);
    return [name, ...below.map((one) => `${name}.${one}`)];
  });
}

/** Returns the transport of a session. Over HTTP with SSE, answers come on the stream that the client opened first. */
function transport({ header, events }: Cassette, { requests, answer }: LintSession): ExercisedPart[] {
  const line = events[0]?.line;
  if (line === undefined) return [];
  if (header.transport === 'stdio') return [{ kind: 'transport', name: TRANSPORTS.stdio, line }];
  const first = requests.find((request) => request.from === 'client' && answer(request) !== undefined);
  const [asked, answered] = [first?.frame.stream, first && answer(first)?.frame.stream];
  const isSse = asked !== undefined && answered !== undefined && answered < asked;
  return [{ kind: 'transport', name: isSse ? TRANSPORTS.sse : TRANSPORTS.http, line }];
}
