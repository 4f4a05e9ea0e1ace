import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { errorOf, isObject, isRequest, isResponse, type Request, resultOf } from '../../protocol/message.ts';
import { CLIENT_CAPABILITIES, subjectOf } from '../../protocol/method-table.ts';
import { METHOD_NOT_FOUND } from '../../replay/match/protocol-generation.ts';
import { RequestMatcher } from '../../replay/match/request-matcher.ts';
import type { HandlerList } from '../handler-list.ts';
import { messageText } from '../serialize-message.ts';
import type { DefaultAnswers, DefaultReply } from '../server/server-fallback-answers.ts';

/** Answers server requests that no handler matches, from the recorded client's answers if there is a cassette. */
export class ClientDefaults implements DefaultAnswers {
  readonly #handlers: HandlerList;
  readonly #recorded: (request: Request) => DefaultReply | undefined;

  constructor(handlers: HandlerList, events: readonly CassetteEvent[] = []) {
    this.#handlers = handlers;
    this.#recorded = recordedAnswers(events);
  }

  answer(request: Request): DefaultReply {
    const recorded = this.#recorded(request);
    if (recorded) return recorded;
    const { method, params } = request;
    if (method === 'ping') return { reply: { result: {} } };
    const subject = subjectOf(method, params);
    const refusals = this.#handlers.refusals(request);
    const why = refusals.length === 0 ? '.' : `: ${refusals.join(', ')}.`;
    const text = `No handler answers the server's ${subject}${why}`;
    return {
      reply: { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } },
      finding: { kind: 'miss', text },
    };
  }
}

/** Returns a function that finds the recorded client's answer to a server request. */
function recordedAnswers(events: readonly CassetteEvent[]): (request: Request) => DefaultReply | undefined {
  const entries = eventsToEntries(events);
  const links = correlateEntries(entries);
  const matcher = new RequestMatcher({ entries, links, side: 'server', happened: () => true });
  return (request) => {
    const recorded = matcher.take(messageText({ ...request }));
    const answer = recorded && entries[links.answerOf.get(recorded.entry.index) ?? -1]?.message;
    if (!isResponse(answer)) return undefined;
    const error = errorOf(answer);
    return { reply: error ? { error: error as { code: number; message: string } } : { result: resultOf(answer) } };
  };
}

/** Returns the recorded client's capabilities, with those that the handlers need. */
export function clientCapabilities(
  handlers: HandlerList,
  events: readonly CassetteEvent[] = [],
): Record<string, unknown> {
  const recorded = eventsToEntries(events).find(
    ({ from, message }) => from === 'client' && isRequest(message) && message.method === 'initialize',
  );
  const params =
    recorded && isRequest(recorded.message) && isObject(recorded.message.params) ? recorded.message.params : {};
  const own = [...CLIENT_CAPABILITIES]
    .filter(([method]) => handlers.has(method))
    .map(([, capability]) => [capability, {}]);
  return { ...Object.fromEntries(own), ...(isObject(params.capabilities) ? params.capabilities : {}) };
}
