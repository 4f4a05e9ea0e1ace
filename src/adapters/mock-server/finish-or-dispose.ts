import { formatCount } from '../../kernel/format-count.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { printable } from '../../text-report/printable-text.ts';

/** The two ways to end a mock server or client: `finish`, which returns the outcome, and the end of its scope. */
export interface FinishOrDispose<Outcome> {
  finish(): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds disposal to `finish`. If the scope ends without a call of `finish`, failures are printed to standard error. */
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
