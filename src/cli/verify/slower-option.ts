import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Returns the value of `--slower`: how many times as long an answer may take, such as `2x`. Undefined: any time.
 * @throws McpRecordError USAGE_BAD_FACTOR
 */
export function slowerFactorOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, number] = /^(\d{1,4}(?:\.\d{1,3})?)x$/.exec(text) ?? [];
  if (Number(number) >= 1) return Number(number);
  throw new McpRecordError({
    code: 'USAGE_BAD_FACTOR',
    what: `Cannot use --slower ${text}`,
    why: 'it is not a factor of at least 1',
    next: 'Write, for example, --slower 2x: an answer then fails that takes more than twice as long.',
  });
}
