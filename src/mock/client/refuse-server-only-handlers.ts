import { McpRecordError } from '../../kernel/errors.ts';
import type { Handler } from '../handler.ts';
import { LISTS } from '../server/merge-list-items.ts';

/** Further requests that only servers answer, beside those of lists. */
const OF_SERVERS: readonly string[] = [
  'initialize',
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
];

/**
 * Returns handlers of a mock client, each of a request that a server could make.
 * @throws McpRecordError HANDLER_INVALID
 */
export function clientHandlers(handlers: readonly Handler[]): readonly Handler[] {
  const stranger = handlers.find((one) => LISTS.has(one?.method) || OF_SERVERS.includes(one?.method));
  if (stranger === undefined) return handlers;
  const { method, name, place } = stranger;
  throw new McpRecordError({
    code: 'HANDLER_INVALID',
    what: `Cannot use a handler of ${method}${name === undefined ? '' : ` "${name}"`}${place === '' ? '' : ` (${place})`}`,
    why: 'no server makes this request of a client',
    next: "Give it to mockServer. A mock client answers request('sampling/createMessage', …), request('elicitation/create', …) or request('roots/list', …).",
  });
}
