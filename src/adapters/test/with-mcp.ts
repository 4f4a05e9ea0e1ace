import { McpRecordError } from '../../kernel/errors.ts';
import type { CassetteOwner } from './cassette-ownership.ts';
import { type Mcp, openMcp } from './mcp-fixture.ts';

/**
 * Gives a test of any runner an `mcp`, and ends it with the test: `test('…', () => withMcp(owner, async (mcp) => { … }))`.
 * @throws what `run` throws, else McpRecordError SESSION_FELL_SHORT where something did not go as in the cassette
 */
export async function withMcp<Result>(owner: CassetteOwner, run: (mcp: Mcp) => Promise<Result>): Promise<Result> {
  const mcp = openMcp(owner);
  let result: Result;
  try {
    result = await run(mcp);
  } catch (error) {
    // A further error must not hide the reason of the failure.
    await mcp.finish({ passed: false }).catch((also: unknown) => noteKept(error, also));
    throw error;
  }
  await mcp.finish({ passed: true });
  return result;
}

/** Adds the path of the recording to a test's error. */
function noteKept(error: unknown, also: unknown): void {
  if (!(error instanceof Error && also instanceof McpRecordError) || also.code !== 'RECORDING_KEPT') return;
  const said = `${error.message}\n\n${also.message}`;
  // Runners print the one or the other.
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => said);
  error.message = said;
}
