import { McpRecordError } from '../../kernel/errors.ts';
import { type CassetteOwner, claimed, type UsedCassette } from './cassette-ownership.ts';
import type { Mcp } from './mcp.ts';
import { openMcp } from './mcp-fixture.ts';

/**
 * Gives a test of any runner an `mcp`, and ends it with the test: `test('…', () => withMcp(owner, async (mcp) => { … }))`.
 * @throws what `run` throws, else McpRecordError SESSION_FELL_SHORT where something did not go as in the cassette, and
 *   CASSETTE_CLAIMED where another test of this process has recorded the same cassette
 */
export async function withMcp<Result>(owner: CassetteOwner, run: (mcp: Mcp) => Promise<Result>): Promise<Result> {
  let twice: string | undefined;
  const told = (cassettes: readonly UsedCassette[]) => {
    owner.told?.(cassettes);
    twice = owner.id === undefined ? recordedTwice(cassettes) : undefined;
  };
  const mcp = openMcp({ ...owner, told });
  let result: Result;
  try {
    result = await run(mcp);
  } catch (error) {
    // A further error must not hide the reason of the failure.
    await mcp.finish({ passed: false }).catch((also: unknown) => noteKept(error, also));
    throw error;
  }
  await mcp.finish({ passed: true });
  if (twice !== undefined) throw claimed(twice);
  return result;
}

/** Cassettes that tests of this process have recorded. */
const recorded = new Set<string>();

/** Returns a cassette that was recorded by an earlier test, too: a runner without ids of tests gave both the same name. */
function recordedTwice(cassettes: readonly UsedCassette[]): string | undefined {
  const written = cassettes.flatMap(({ mode, written: path }) => (mode === 'record' && path ? [path] : []));
  const twice = written.find((path) => recorded.has(path));
  for (const path of written) recorded.add(path);
  return twice;
}

/** Adds the path of the recording to a test's error. */
function noteKept(error: unknown, also: unknown): void {
  if (!(error instanceof Error && also instanceof McpRecordError) || also.code !== 'RECORDING_KEPT') return;
  const said = `${error.message}\n\n${also.message}`;
  // Runners print the one or the other.
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => said);
  error.message = said;
}
