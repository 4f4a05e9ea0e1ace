import type { Cassette } from '../cassette/types.ts';
import { McpRecordError } from '../kernel/errors.ts';

/** @throws McpRecordError TAPE_OTHER_TRANSPORT for a session over HTTP, which cannot be played yet */
export function requireStdio({ file, header }: Cassette): void {
  if (header.transport === 'stdio') return;
  throw new McpRecordError({
    code: 'TAPE_OTHER_TRANSPORT',
    what: `Cannot play cassette ${file}`,
    why: 'it was recorded over HTTP, and this version plays sessions recorded over stdio only',
    next: 'Record the server over stdio, or look at the session with: mcp-record show FILE',
  });
}
