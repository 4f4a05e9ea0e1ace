import type { Frame } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';
import { withMessage } from '../support/edit-message.ts';

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

/** Breaks the rules of progress notifications. */
export const progress: DefinedFault<Takes> = defineFault({
  name: 'progress',
  doc: 'A progress notification breaks the rules.',
  transports: ['stdio', 'http', 'memory'],
  noticedBy: 'receiver',
  params,
  when: { method: 'notifications/progress' },
  start({ kind, count }, { next }) {
    /** Progress notifications held until the next response. */
    const held: Frame[] = [];
    let least = 0;
    const damaged = (frame: Frame): Frame[] => {
      if (kind === 'storm') return Array.from({ length: count }, () => frame);
      least--;
      const change = kind === 'decreasing' ? { progress: least } : { progressToken: 'mcp-record:unknown' };
      return [withMessage(frame, (message) => ({ ...message, params: { ...paramsOf(message), ...change } }))];
    };
    return {
      hit(frame) {
        if (!isProgress(frame)) return next(frame);
        if (kind === 'after-answer') held.push(frame);
        else for (const one of damaged(frame)) next(one);
      },
      pass(frame) {
        next(frame);
        if (frame.kind === 'message' && scalarKeyAt(frame.json, ['id']) !== undefined) {
          for (const one of held.splice(0)) next(one);
        }
      },
    };
  },
});

function isProgress(frame: Frame): boolean {
  return frame.kind === 'message' && isObject(frame.json.value) && frame.json.value.method === 'notifications/progress';
}

function paramsOf({ params: own }: Record<string, unknown>): object {
  return isObject(own) ? own : {};
}
