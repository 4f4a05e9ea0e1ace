/**
 * Runs a parser of a package that may make an error for each character of a text. Their stack traces would take
 * gigabytes.
 */
export function withoutStackTraces<Parsed>(parse: () => Parsed): Parsed {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
