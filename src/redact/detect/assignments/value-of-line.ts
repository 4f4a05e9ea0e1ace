import type { Span } from '../../../protocol/json-scan.ts';
import { looksGenerated } from '../plausibility.ts';
import { isExpression } from './code-after-names.ts';

/** What may stand before a name that begins its line: `export PASSWORD=…`, `- PASSWORD=…`. */
const LINE_START = /(?:^|[\r\n])[ \t]{0,16}(?:export[ \t]|set[ \t]|ENV[ \t]|-[ \t])?$/;
const LINE_START_LENGTH_MAX = 28;

/** Rest of a line after a character that also separates values. `&` and `<` belong to forms and markup, too. */
const REST = /[,;|][^\s"'`\\<>&]{1,512}(?=[ \t]*(?:[\r\n]|$))/y;
const REST_OF_VARIABLE = /[,;|&<>][^\s"'`\\]{1,512}(?=[ \t]*(?:[\r\n]|$))/y;
/** Name of another value. */
const NEXT_PAIR = /[,;|&][A-Za-z_][\w.-]{0,63}[=:]|<\//;
const VARIABLE = /^[A-Z][A-Z\d_]*$/;

/** Value without quotes after a name. */
interface BareValue extends Span {
  name: string;
  /** Offset of the name. */
  nameStart: number;
}

/**
 * Returns the end of a value that is all that a line has after its name: `DB_PASSWORD=a9,x;y`. The line of a `.env` or
 * `.ini` file needs no quotes for characters that separate values elsewhere.
 */
export function endInLine(text: string, { name, nameStart, start, end }: BareValue): number {
  if (!',;|&<>'.includes(text.charAt(end) || ' ')) return end;
  if (!LINE_START.test(text.slice(Math.max(0, nameStart - LINE_START_LENGTH_MAX), nameStart))) return end;
  const rest = VARIABLE.test(name) ? REST_OF_VARIABLE : REST;
  rest.lastIndex = end;
  const more = rest.exec(text)?.[0];
  if (more === undefined || NEXT_PAIR.test(more) || !/[^,;|&<>)\]}.]/.test(more)) return end;
  const whole = text.slice(start, end + more.length);
  return looksGenerated(whole) && !isExpression(whole) ? end + more.length : end;
}
