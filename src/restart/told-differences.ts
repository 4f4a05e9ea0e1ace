import { differenceWords } from '../contract/describe-message-difference.ts';

/** What `initialize` agrees on. */
const AGREED = ['protocolVersion', 'capabilities', 'serverInfo', 'instructions'] as const;

/**
 * Returns a sentence that names the differences between a new server's `initialize` result and the result that the
 * client knows. Undefined: both are equal.
 */
export function toldDifferences(
  told: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string | undefined {
  const words = AGREED.flatMap((name) => differenceWords({ [name]: told[name] }, { [name]: now[name] }) || []);
  if (words.length === 0) return undefined;
  return `The new server differs from what the client was told: ${words.join(', ')}. Connect the client again for that.`;
}
