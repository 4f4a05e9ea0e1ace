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
    // What else there is to say must not stand in the place of why the test failed.
    await mcp.finish({ passed: false }).catch((also: unknown) => noteKept(error, also));
    throw error;
  }
  await mcp.finish({ passed: true });
  return result;
}

/** Says in the error of a test where its recording is. */
function noteKept(error: unknown, also: unknown): void {
  if (!(error instanceof Error && also instanceof McpRecordError) || also.code !== 'RECORDING_KEPT') return;
  const said = `${error.message}\n\n${also.message}`;
  // Runners print the one or the other.
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => said);
  error.message = said;
}
