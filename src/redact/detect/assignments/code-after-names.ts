import { looksGenerated } from '../plausibility.ts';

/** Words of programming languages that follow a closing bracket in minified code. */
const KEYWORDS =
  'async|await|break|case|catch|class|const|continue|do|else|export|finally|for|function|get|if|import|let|new|return|set|static|switch|throw|try|var|while|yield';

/** Closing bracket without an opening one, and what follows it in code: `e}){return`, `prompt](https`. Group 1 is before it. */
const CLOSING = new RegExp(
  String.raw`^([\w$.-]{0,40}|\[[\w$.,]{0,40}\])[)}\]]{1,64}(?:[=;,.:?&|({<>\`'"!]|(?:${KEYWORDS})\b|$)`,
);

const EXPRESSIONS: readonly RegExp[] = [
  // Call, element of a list, comparison.
  /^[\w$.!#]*\(|^(?:[\w$.!]+[?:])?[\w$.]+\[|^={2}/,
  // Member of an object, also of several: `!request.headers`, `std::move(`, `url.search=url.hash=`.
  /^[!&*~]{0,4}[A-Za-z_$][\w$]*(?:(?:\??\.|->|::)#?[A-Za-z_$][\w$]*)+(?:$|[=(])/,
  // Literal of a type: `[]ssh.AuthMethod{`, `struct{}{`.
  /^[!&*]{0,4}[A-Za-z_$][\w$.]*\{(?:\}\{?)?$|^\[\]\*?[A-Za-z_$][\w$.]*\{|^(?:\w{1,40}\.)?[A-Z][A-Za-z]{1,80}\{\w*$/,
  // Comparison in minified code: `null!=(n=null==e?void`.
  /^[A-Za-z_$][\w$.]{0,40}[!=]={1,2}[^=]/,
];

/** Reports whether an unquoted value after a name is code: an expression, or the end of one. */
export function isExpression(value: string): boolean {
  if (EXPRESSIONS.some((pattern) => pattern.test(value))) return true;
  const before = CLOSING.exec(value)?.[1];
  return before !== undefined && !looksGenerated(before);
}

/**
 * Reports whether an unquoted value after a quoted name is a variable: `"private_key": base64PrivateKey`. A text would
 * be in quotes, like its name.
 */
export function isVariable(value: string): boolean {
  return /^[a-z]+\d{0,3}(?:[A-Z][a-z]+\d{0,3}){0,8}$/.test(value);
}

/** Beginning of code that follows a text: `"…api_key=" + key`, `getpass('Password: ')`. */
const AFTER_TEXT = /^\s*(?:[+,;)\]}.:%&|?]|[\r\n]|(?:and|as|else|for|if|in|is|or)\b)/;
/** Variable between two texts: `` {"password":"` + password + `"} ``. */
const BETWEEN_TEXTS = /^(["'`])?\s{0,4}\+\s{0,4}[\w.()[\]]{1,128}(?:\s{0,4}\+\s{0,4}\1?)?$/;

/** Maximum distance between the quotes of a text that ends after a name. */
const TEXT_LENGTH_MAX = 512;

/**
 * Reports whether the quote before a value ends a text, in which the name is: `'Password: '`. The value is then code
 * between two texts.
 */
export function isBetweenTexts(text: string, { start, value, quote }: QuotedValue): boolean {
  if (BETWEEN_TEXTS.test(value)) return true;
  if (!AFTER_TEXT.test(value)) return false;
  const at = start - quote.length;
  const line = text.lastIndexOf('\n', at - 1) + 1;
  const before = text.slice(Math.max(line, at - TEXT_LENGTH_MAX), at).replace(/\w'(?=\w)/g, '');
  return (before.split(quote).length - 1) % 2 === 1;
}

interface QuotedValue {
  /** Offset of the value, after its quote. */
  start: number;
  value: string;
  quote: string;
}
