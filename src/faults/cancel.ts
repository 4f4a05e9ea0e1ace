import type { Frame } from '../channel/frame.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { type DefinedFault, defineFault } from './fault.ts';
import { idOf } from './message.ts';
import { count, or, text, type WithFallback } from './param.ts';

type Takes = { at: WithFallback<number>; reason: WithFallback<string> };

const params: Takes = {
  at: or(count('after how many frames of the other side', 0), 0),
  reason: or(text('why, for the log'), 'Injected by mcp-record'),
};

/** A request that its sender gives up: before, while or after it is answered, by how long it waits. */
export const cancel: DefinedFault<Takes> = defineFault({
  name: 'cancel',
  doc: 'The request is followed by notifications/cancelled: at once, or after so many frames of the other side.',
  grounds: ['stdio', 'http', 'memory'],
  params,
  when: { from: 'client', kind: 'request' },
  start({ at, reason }, { next, clock, from }) {
    const waiting: { request: Frame; left: number }[] = [];
    const give = (request: Frame) => {
      const text = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 0, reason },
      });
      const json = new JsonText(text.replace('"requestId":0', () => `"requestId":${idOf(request)}`));
      next({ kind: 'message', at: clock.now(), from, json });
    };
    return {
      hit(frame) {
        next(frame);
        if (frame.kind !== 'message' || !isRequest(frame.json.value)) return;
        if (at === 0) give(frame);
        else waiting.push({ request: frame, left: at });
      },
      other() {
        for (const one of [...waiting]) {
          one.left--;
          if (one.left > 0) continue;
          waiting.splice(waiting.indexOf(one), 1);
          give(one.request);
        }
      },
    };
  },
});
