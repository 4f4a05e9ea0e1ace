import { McpRecordError } from '../kernel/errors.ts';

/**
 * JSON Pointers (RFC 6901) from the root of a message, e.g. `/params/arguments/now`. A step that is `*` stands for
 * every key or index.
 */
export type Pointer = string;

/**
 * The steps of a pointer, unescaped.
 * @throws McpRecordError USAGE_BAD_POINTER where it neither is empty nor begins with a slash
 */
export function parsePointer(pointer: Pointer): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) throw badPointer(pointer);
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function badPointer(pointer: Pointer): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_POINTER',
    what: `Cannot use "${pointer}" as a JSON Pointer`,
    why: 'it does not begin with a slash',
    next: 'Name the path from the root of a message, such as /params/arguments/now.',
  });
}

/** One step of a pointer, escaped. */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}
