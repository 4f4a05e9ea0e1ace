import { McpRecordError } from '../../kernel/errors.ts';
import { checkOwner, checkTestEnd } from '../../modes/validate-api-options.ts';
import { checkAtEndOfTest, reportAtExit } from '../test-end/test-end-hooks.ts';
import { TestMcp } from './any-runner-fixture.ts';
import type { CassetteOwner } from './claim-test-cassette.ts';
import type { OwnMcp } from './mcp-types.ts';
import type { TestEnd } from './session-failed-error.ts';

/**
 * Opens the `mcp` fixture for a test of any runner. Call `finish` at the end of the test. Without it, a test of Vitest ends what it
 * opened, and in other runners the process fails at its exit.
 */
export function openMcp(owner: CassetteOwner): OwnMcp {
  checkOwner(owner);
  const mcp = new UnendedMcp(owner);
  checkAtEndOfTest(async (passed) => {
    if (mcp.isLeftOpen) await mcp.finish({ passed });
  });
  reportAtExit(() => (mcp.isLeftOpen ? notFinished(owner) : undefined));
  return mcp;
}

class UnendedMcp extends TestMcp {
  #isFinished = false;

  get isLeftOpen(): boolean {
    return this.isUsed && !this.#isFinished;
  }

  override async finish(run: TestEnd): Promise<void> {
    checkTestEnd(run);
    this.#isFinished = true;
    await super.finish(run);
  }
}

function notFinished({ names }: CassetteOwner): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_UNCHECKED',
    what: `Cannot tell whether the test "${names.join(' > ')}" went as recorded`,
    why: 'the process has ended, and mcp.finish was never called',
    next: 'Call it at the end of the test: await mcp.finish({ passed: true }). withMcp does so by itself.',
  });
}
