import type { LineFrame } from '../../channel/frame.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*$/;
const BODY = /^(?:[A-Za-z0-9+/=]{1,80}|[A-Z][A-Za-z-]{1,20}: .{0,100})?$/;

/**
 * Returns a function for consecutive lines. It reports whether a line belongs to a private key that began on an earlier
 * line of the same stream.
 */
export function privateKeyLines(): (frame: LineFrame) => boolean {
  const open = new Set<string>();
  return ({ on, from, stream, data }) => {
    const where = `${from} ${on} ${stream}`;
    if (typeof data !== 'string') return false;
    const isInside = open.has(where) && BODY.test(data.trim());
    if (BEGIN.test(data)) open.add(where);
    else if (!isInside) open.delete(where);
    return isInside && data.trim() !== '';
  };
}
