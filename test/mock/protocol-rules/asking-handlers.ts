import { type Handler, request, tool } from '../../../src/adapters/mock.ts';

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} }, _meta: { progressToken: 'p' } };

/** Handlers with a tool that asks, one that never answers, and a list of two pages. */
export const handlers: Handler[] = [
  tool('t', () => 'done'),
  waiting('slow'),
  tool('ask', async (_, { elicit }) => (await elicit(form)).action),
  request('prompts/list', ({ params }) => ({
    ...{ prompts: [], ttlMs: 0, cacheScope: 'private', resultType: 'complete' },
    ...(params.cursor === undefined && { nextCursor: 'two' }),
  })),
];

/** A tool that answers when its call is cancelled, or its session ends. */
export function waiting(name: string, cancelled = () => {}): Handler {
  const aborted = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
  return tool(name, async (_, { signal }) => {
    await aborted(signal);
    cancelled();
    return '';
  });
}
