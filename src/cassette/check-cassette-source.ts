import { McpRecordError } from '../kernel/errors.ts';
import { isObject } from '../protocol/message.ts';

/** Advice that mentions the API for testing a server without a cassette. */
export const SERVER_WITHOUT_CASSETTE =
  'Give the path of a cassette. To test a server without one, call it from the test: await mcp.mockClient({ server }), or mockClient({ server }) of mcp-record/mock. See docs/test-server.md.';

const ANY_CASSETTE = 'Give the path of a cassette, or a value of cassette(): see docs/cassette.md.';

/**
 * Checks the cassette given to a function of the API.
 * @throws McpRecordError OPTION_BAD_VALUE
 */
export function checkCassetteSource(cassette: unknown, next: string = ANY_CASSETTE): void {
  if (typeof cassette === 'string' && cassette !== '') return;
  if (isObject(cassette) && Array.isArray(cassette.events)) return;
  throw new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: 'Cannot play a session without a cassette',
    why: `in its place stands ${typeName(cassette)}`,
    next,
  });
}

function typeName(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object without events' : `a ${typeof value}`;
}
