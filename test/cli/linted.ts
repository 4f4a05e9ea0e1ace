import { mcpRecord } from '../support/command.ts';
import { run } from '../support/process.ts';

/** A session that breaks the protocol in lines 4 to 6. */
export const BROKEN: string = `format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: tools/call, params: { name: x } }
- server: "Listening"
- server: { id: 2, result: {} }
- client: { id: 3, method: initialize, params: { protocolVersion: 2025-11-25, capabilities: {}, clientInfo: { name: c, version: '1' } } }
- server: { id: 3, result: { protocolVersion: 2025-11-25, capabilities: { tools: {} }, serverInfo: { name: s, version: '1' } } }
`;

export async function lint(...args: string[]): Promise<{ stdout: string; stderr: string; status: number | null }> {
  const { stdout, stderr, status } = await run(mcpRecord('lint', ...args));
  return { stdout: stdout.toString(), stderr, status };
}
