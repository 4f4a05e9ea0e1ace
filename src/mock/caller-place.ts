import { normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this package, whose stack frames are skipped. */
const OWN = fileURLToPath(new URL('.', import.meta.url));

/** Place in a stack frame: a URL, or a path of POSIX or Windows, then line and column. */
const PLACE = /(?:^|[\s(])((?:file:\/\/|[A-Za-z]:[\\/]|\\\\|\/)[^()]*?):(\d+):\d+\)?$/;

/** Returns the file and line of the test that called this package, as `FILE:LINE`, or an empty string if unknown. */
export function callerPlace(stack: string | undefined = new Error().stack): string {
  for (const frame of stack?.split('\n').slice(1) ?? []) {
    const [, file = '', line] = PLACE.exec(frame) ?? [];
    if (file === '') continue;
    // On Windows, vitest writes paths of stack frames with `/`, and Node with `\`.
    const path = normalize(file.startsWith('file://') ? fileURLToPath(file) : file);
    if (!path.startsWith(OWN)) return `${path}:${line}`;
  }
  return '';
}
