/** Ranges of the values of a cassette. The JSON Schema repeats them, and a test compares the two. */

/** Range of a number, with texts for the error. */
export interface NumberRange {
  min: number;
  max: number;
  /** Whether fractions are rejected. */
  whole: boolean;
  /** Noun phrase for an allowed value. */
  wanted: string;
  /** Advice. */
  next: string;
}

/** Range of a text, with texts for the error. */
export interface TextRange {
  pattern: RegExp;
  wanted: string;
  next: string;
}

/** HTTP field name (RFC 9110, 5.6.2). */
export const HEADER_NAME: RegExp = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** HTTP field value (RFC 9110, 5.5): no line break, and no control character except tab. */
export const HEADER_VALUE: RegExp = /^[\t -~\u0080-\u00ff]*$/;

/** Maximum duration of a session: 100 years of 365.25 days. A longer one contains a wrong number. */
export const SESSION_DURATION_MAX = 3_155_760_000_000;

export const AFTER: NumberRange = {
  min: 0,
  max: SESSION_DURATION_MAX,
  whole: false,
  wanted: 'a number of milliseconds from 0 to 100 years',
  next: 'Write the time since the event before it, from 0.',
};

export const STREAM: NumberRange = {
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  whole: true,
  wanted: 'the whole number of an exchange',
  next: 'Count the exchanges of the session from 1.',
};

export const STATUS: NumberRange = {
  min: 100,
  max: 999,
  whole: true,
  wanted: 'an HTTP status from 100 to 999',
  next: 'Write a number such as 400.',
};

export const RETRY_MAX: number = Number.MAX_SAFE_INTEGER;

/** Largest exit status on any system. */
export const EXIT_MAX = 4_294_967_295;

export const SIGNAL: TextRange = {
  pattern: /^SIG[A-Z0-9+]{1,12}$/,
  wanted: 'the name of a signal',
  next: 'Write, for example, SIGTERM.',
};

export const METHOD: TextRange = {
  pattern: HEADER_NAME,
  wanted: 'a method of HTTP',
  next: 'Write, for example, "open: GET".',
};

/** Anything else could name another host: a web proxy is given the server's origin and the path as one URL. */
export const PATH: TextRange = {
  pattern: /^(?:\/[\u0021-\u007e\u0080-\u00ff]*|\*)$/,
  wanted: 'a path that begins with "/", without blanks and letters that HTTP cannot send',
  next: 'Write it as it stands in a URL, for example /messages?id=1.',
};

/** Event id, and single line of an event stream. */
export const ONE_LINE: TextRange = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what may not stand there
  pattern: /^[^\u0000\r\n]*$/,
  wanted: 'text of one line',
  next: 'Put it in quotes, without a line break.',
};

export const COMMENT: TextRange = {
  pattern: /^[^\r\n]*$/,
  wanted: 'text of one line',
  next: 'Put it in quotes, without a line break: each comment is an event.',
};

/** Format of `recorded`: to the millisecond, or to the second. Whether the date exists is not checked. */
export const RECORDED: RegExp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;
