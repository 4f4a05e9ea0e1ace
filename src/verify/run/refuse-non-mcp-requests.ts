import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import type { Frame } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/** HTTP methods of the MCP endpoint (Streamable HTTP, all revisions). */
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);

/** Request headers used by MCP, in addition to those with the prefix `mcp-`. */
const HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-encoding',
  'content-type',
  'last-event-id',
]);

/**
 * Checks that a recorded client sends only requests that MCP needs. A cassette of another author could send requests
 * anywhere, with the user's credentials. `option` names the option that permits such requests.
 * @throws McpRecordError CASSETTE_OTHER_REQUEST
 */
export function refuseNonMcpRequests({ file, events }: Cassette, option: string): void {
  const found = events.map((event) => ({ event, what: otherRequest(event) })).find(({ what }) => what !== undefined);
  if (found === undefined) return;
  throw new McpRecordError({
    code: 'CASSETTE_OTHER_REQUEST',
    what: `Cannot play the client of ${file}`,
    why: `its request has ${found.what}, which MCP does not need`,
    next: `Look at the line. ${option} sends it, with the headers that you give.`,
    place: { file, line: found.event.line },
  });
}

/** Returns the part of a request that is outside MCP, as text. Undefined: the request has no such part. */
function otherRequest({ frame }: CassetteEvent): string | undefined {
  if (frame.from !== 'client') return undefined;
  if (frame.kind === 'open' && frame.path !== undefined) return `the path ${JSON.stringify(frame.path)}`;
  if (frame.kind === 'open' && !METHODS.has(frame.method)) return `the method ${JSON.stringify(frame.method)}`;
  const name = Object.keys(headersOf(frame)).find((one) => !isOfMcp(one.toLowerCase()));
  return name === undefined ? undefined : `the header ${JSON.stringify(name)}`;
}

function headersOf(frame: Frame): Readonly<Record<string, string>> {
  return ('headers' in frame && frame.headers) || {};
}

function isOfMcp(name: string): boolean {
  return HEADERS.has(name) || name.startsWith('mcp-');
}
