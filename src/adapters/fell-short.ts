import { McpRecordError } from '../kernel/errors.ts';
import type { Finding } from '../replay/finding.ts';

/** What it means for a test that its session did not go as the cassette has it. */
export function fellShort(cassette: string, { findings }: { findings: readonly Finding[] }): McpRecordError {
  const said = findings.map(({ text }) => `\n  ${text.replaceAll('\n', '\n  ')}`).join('');
  return new McpRecordError({
    code: 'SESSION_FELL_SHORT',
    what: `The session is not that of ${cassette}`,
    why: `${findings.length === 1 ? 'one finding' : `${findings.length} findings`}${said}`,
    next: 'Mend the test, or record what it does now: MCP_RECORD=new adds to the cassette, MCP_RECORD=record replaces it.',
  });
}
