import { formatCount } from '../../kernel/format-count.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { printable } from '../../text-report/printable-text.ts';

/** The two ways in which a mock server or client ends: by `finish`, which says how it went, and with its scope. */
export interface FinishOrDispose<Outcome> {
  finish(): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What ends with its scope, and was never asked how it went, says on standard error what would have failed the test. */
export function finishOrDispose<Outcome extends ReplayOutcome>(
  cassette: string,
  finish: () => Promise<Outcome>,
  kind: 'server' | 'client' = 'server',
): FinishOrDispose<Outcome> {
  let isAsked = false;
  return {
    finish() {
      isAsked = true;
      return finish();
    },
    async [Symbol.asyncDispose]() {
      const { failures } = await finish();
      const [first] = failures;
      if (isAsked || first === undefined) return;
      const name = cassette === '' ? `A mock ${kind}` : `The mock ${kind} of ${cassette}`;
      const said = `${name} ended with ${formatCount(failures.length, 'finding')} that nobody has looked at: expect((await ${kind}.finish()).failures).toEqual([]).`;
      console.warn(`mcp-record: ${printable(said)}\n  ${printable(first.text)}`);
    },
  };
}
