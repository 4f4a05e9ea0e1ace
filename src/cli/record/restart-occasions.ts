import { McpRecordError } from '../../kernel/errors.ts';

/**
 * Returns when a server is started again.
 * @throws McpRecordError USAGE_BAD_RESTART_ON
 */
export function restartOccasions(text: string): { onChange: boolean; onCrash: boolean } {
  const words = text.split(',');
  if (words.every((word) => word === 'change' || word === 'crash'))
    return { onChange: words.includes('change'), onCrash: words.includes('crash') };
  throw new McpRecordError({
    code: 'USAGE_BAD_RESTART_ON',
    what: `Cannot restart on ${text}`,
    why: 'it is neither change nor crash',
    next: 'Write --restart-on change, --restart-on crash, or --restart-on change,crash.',
  });
}
