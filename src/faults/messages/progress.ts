import type { Frame, WireFrame } from '../../channel/frame.ts';
import { isObject, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';
import { idOf, withMessage } from '../support/edit-message.ts';

type Kind = 'decreasing' | 'after-answer' | 'unknown-token' | 'storm';

type Takes = { kind: WithFallback<Kind>; count: WithFallback<number> };

const params: Takes = {
  kind: withDefault(
    word<Kind>(
      'decreasing: the progress goes down; after-answer: it comes after the answer; unknown-token: nobody gave its token; storm: it comes many times',
      'decreasing',
      'after-answer',
      'unknown-token',
      'storm',
    ),
    'decreasing',
  ),
  count: withDefault(count('number of copies in a storm'), 1_000),
};

const PROGRESS = 'notifications/progress';
const ONE: readonly [string, string] = [
  'a storm of one is the notification itself',
  'Write, for example, "count: 1000".',
];

/** Breaks the rules of progress notifications. */
export const progress: DefinedFault<Takes> = defineFault({
  name: 'progress',
  doc: 'A progress notification breaks the rules.',
  transports: ['stdio', 'http', 'memory'],
  noticedBy: 'receiver',
  params,
  when: { method: PROGRESS },
  isOfMessages: true,
  unfit({ values, when }) {
    if (when.method !== PROGRESS) return `it is about ${PROGRESS} alone`;
    return values.kind === 'storm' && values.count === 1 ? ONE : undefined;
  },
  start({ kind, count }, { next }) {
    /** Progress notifications held until the answer to the request of their token. */
    let held: { frame: Frame; request: string | undefined }[] = [];
    /** Token of an open request → its id. */
    const requests = new Map<string, string>();
    let least = 0;
    const damaged = (frame: Frame): Frame => {
      const change = kind === 'decreasing' ? { progress: least - 1 } : { progressToken: 'mcp-record:unknown' };
      return withMessage(frame, (message) => ({ ...message, params: { ...paramsOf(message), ...change } }));
    };
    const release = (answered: string) => {
      const isDue = ({ request }: { request: string | undefined }) => request === undefined || request === answered;
      const due = held.filter(isDue);
      held = held.filter((one) => !isDue(one));
      for (const { frame } of due) next(frame);
    };
    return {
      unchanged(frame) {
        if (kind === 'storm' || kind === 'after-answer') return undefined;
        return damaged(frame) === frame ? 'the notification said the same before' : undefined;
      },
      hit(frame) {
        if (kind === 'after-answer') return void held.push({ frame, request: requests.get(tokenOf(frame) ?? '') });
        for (const one of kind === 'storm' ? Array.from({ length: count }, () => frame) : [damaged(frame)]) next(one);
        least--;
      },
      pass(frame) {
        next(frame);
        if (frame.kind !== 'message' || !isResponse(frame.json.value)) return;
        const answered = idOf(frame) ?? '';
        release(answered);
        for (const [token, id] of requests) if (id === answered) requests.delete(token);
      },
      ...(kind === 'after-answer' && {
        other(frame: WireFrame) {
          if (frame.kind !== 'message' || !isRequest(frame.json.value)) return;
          const token = scalarKeyAt(frame.json, ['params', '_meta', 'progressToken']);
          if (token !== undefined) requests.set(token, idOf(frame) ?? '');
        },
      }),
    };
  },
});

function tokenOf(frame: Frame): string | undefined {
  return frame.kind === 'message' ? scalarKeyAt(frame.json, ['params', 'progressToken']) : undefined;
}

function paramsOf({ params: own }: Record<string, unknown>): object {
  return isObject(own) ? own : {};
}
