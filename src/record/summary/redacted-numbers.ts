import type { RedactedValue } from './redacted-values.ts';

/** Place of what the `outputSchema` of a tool describes. */
const STRUCTURED = '/result/structuredContent';

/**
 * Returns a warning about placeholders in place of numbers in structured results: a placeholder is a text, and clients
 * check the result by the `outputSchema` of the tool. Undefined: there are none.
 */
export function redactedNumbersWarning(
  file: string,
  values: readonly RedactedValue[],
  isOfNumber: (placeholder: string) => boolean,
): string | undefined {
  const numbers = values.filter(({ from, pointer, placeholder }) => {
    return from === 'server' && pointer?.startsWith(STRUCTURED) && isOfNumber(placeholder);
  });
  const [first] = numbers;
  if (first === undefined) return undefined;
  const { line, where, placeholder, pointer } = first;
  const more =
    numbers.length === 1 ? '' : ` (and ${numbers.length - 1} more such value${numbers.length > 2 ? 's' : ''})`;
  return `${file}:${line} ${where} has ${placeholder} at ${pointer}${more}, in place of a number. A replay makes up a number there if the recorded outputSchema of the tool wants one. Keep a harmless value with --redact-allow VALUE, or leave its place out of your rule.`;
}
