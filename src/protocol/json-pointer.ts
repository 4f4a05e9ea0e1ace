import { McpRecordError } from '../kernel/errors.ts';

/**
 * JSON Pointer (RFC 6901) from the root of a message, e.g. `/params/arguments/now`. The step `*` stands for every key
 * or index.
 */
export type Pointer = string;

/**
 * Returns the unescaped steps of a pointer.
 * @throws McpRecordError USAGE_BAD_POINTER if the pointer is not empty and does not begin with a slash
 */
export function parsePointer(pointer: Pointer): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) throw badPointer(pointer);
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Checks a pointer of a part that is not compared.
 * @throws McpRecordError USAGE_BAD_POINTER as of `parsePointer`, or if the pointer names the whole message
 */
export function checkPartPointer(pointer: Pointer): void {
  parsePointer(pointer);
  if (!isPartPointer(pointer))
    throw badPointer(pointer, 'it names the whole message, so that nothing would be compared');
}

/** Reports whether a text is a pointer of a part of a message. */
export function isPartPointer(text: string): boolean {
  return text.startsWith('/') && text !== '/*';
}

function badPointer(pointer: Pointer, why = 'it does not begin with a slash'): McpRecordError {
  return new McpRecordError({
    code: 'USAGE_BAD_POINTER',
    what: `Cannot use "${pointer}" as a JSON Pointer`,
    why,
    next: 'Name the path from the root of a message, such as /params/arguments/now.',
  });
}

/** Escapes one step of a pointer. */
export function escapeStep(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the pointer to a path. */
export function pointerOf(path: readonly (string | number)[]): Pointer {
  return `/${path.map(escapeStep).join('/')}`;
}
