import { isError, McpRecordError } from '../../kernel/errors.ts';
import { checkOwner } from '../../modes/validate-api-options.ts';
import { awaitAtEndOfTest } from '../test-end/await-forgotten-promises.ts';
import { currentTry } from '../test-end/test-end-hooks.ts';
import { TestMcp } from './any-runner-fixture.ts';
import { type CassetteOwner, claimed, type UsedCassette } from './claim-test-cassette.ts';
import type { Mcp } from './mcp-types.ts';

/**
 * Runs a test of any runner with an `mcp`, and ends it with the test: `test('…', () => withMcp(owner, async (mcp) => {
 * … }))`. A test of Vitest that does not await it fails at its end.
 * @throws the errors of `run`, else McpRecordError SESSION_FELL_SHORT for deviations from the cassette, and
 * CASSETTE_CLAIMED if another test of this process recorded the same cassette
 */
export function withMcp<Result>(owner: CassetteOwner, run: (mcp: Mcp) => Promise<Result>): Promise<Result> {
  checkOwner(owner);
  if (typeof run !== 'function') throw noTest(run);
  return awaitAtEndOfTest(runWithMcp(owner, run), 'withMcp');
}

function noTest(run: unknown): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: 'Cannot run a test with withMcp',
    why: `its second argument is no function, but of the type ${typeof run}`,
    next: 'Give it the test: withMcp({ file, names }, async (mcp) => { … }).',
  });
}

async function runWithMcp<Result>(owner: CassetteOwner, run: (mcp: Mcp) => Promise<Result>): Promise<Result> {
  let twice: string | undefined;
  const onCassettesUsed = (cassettes: readonly UsedCassette[]) => {
    owner.onCassettesUsed?.(cassettes);
    twice = owner.id === undefined ? recordedTwice(cassettes) : undefined;
  };
  const mcp = new TestMcp({ ...owner, onCassettesUsed });
  let result: Result;
  try {
    result = await run(mcp);
  } catch (error) {
    // Adds the findings of the session to the test's error, because runners show only one error.
    await mcp.finish({ passed: false }).catch((also: unknown) => addMessage(error, also));
    throw error;
  }
  await mcp.finish({ passed: true });
  if (twice !== undefined) throw claimed(twice);
  return result;
}

/** Cassettes recorded by tests of this process, with the test and its attempt if the runner provides them. */
const recorded = new Map<string, ReturnType<typeof currentTry>>();

/** Returns a cassette also recorded by an earlier test: a runner without test ids gave both the same name. */
function recordedTwice(cassettes: readonly UsedCassette[]): string | undefined {
  const written = cassettes.flatMap(({ mode, written: path }) => (mode === 'record' && path ? [path] : []));
  const now = currentTry();
  const twice = written.find((path) => recorded.has(path) && !isOfEarlierTry(recorded.get(path), now));
  for (const path of written) recorded.set(path, now);
  return twice;
}

/** Reports whether a test that runs again recorded before. */
function isOfEarlierTry(earlier: ReturnType<typeof currentTry>, now: ReturnType<typeof currentTry>): boolean {
  return now !== undefined && earlier?.test === now.test && earlier.number !== now.number;
}

/** Adds the findings of a session, or the path of its recording, to a test's error. */
function addMessage(error: unknown, also: unknown): void {
  if (!(isError(error) && also instanceof McpRecordError)) return;
  const said = `${error.message}\n\n${also.message}`;
  // Runners print either the stack or the message.
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, () => said);
  error.message = said;
}
