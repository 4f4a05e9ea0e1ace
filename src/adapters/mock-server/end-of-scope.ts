import { formatCount } from '../../kernel/format-count.ts';
import { printable } from '../../text-report/printable-text.ts';
import type { ReplayOutcome } from '../test/replay-outcome.ts';

/** The two ways in which a mock server ends: by `finish`, which says how it went, and with its scope. */
export interface Endings<Outcome> {
  finish(): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What ends with its scope, and was never asked how it went, says on standard error what would have failed the test. */
export function endings<Outcome extends ReplayOutcome>(
  cassette: string,
  finish: () => Promise<Outcome>,
): Endings<Outcome> {
  let isAsked = false;
  return {
    finish() {
      isAsked = true;
      return finish();
    },
    async [Symbol.asyncDispose]() {
      const { failures = [] } = await finish();
      const [first] = failures;
      if (isAsked || first === undefined) return;
      const name = cassette === '' ? 'A mock server' : `The mock server of ${cassette}`;
      const said = `${name} ended with ${formatCount(failures.length, 'finding')} that nobody has looked at: expect((await server.finish()).failed).toBe(false).`;
      console.warn(`mcp-record: ${printable(said)}\n  ${printable(first.text)}`);
    },
  };
}
