import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Parses `--seed`. Undefined: the option is not given.
 * @throws McpRecordError USAGE_BAD_SEED
 */
export function seedFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new McpRecordError({
    code: 'USAGE_BAD_SEED',
    what: `Cannot use the seed ${text}`,
    why: 'it is not a whole number from 0',
    next: 'Write, for example, --seed 7.',
  });
}
