/** Replacement for every secret in a compared message. */
export const MASKED = '[redacted]';

/**
 * A secret in the numbered form of a compared message. `recorded`: the message has this placeholder itself. `live`: the
 * redactor of this run has found the value, and gives equal values equal numbers.
 */
export const NUMBERED_SECRET: RegExp = /\[(?:recorded|live) [\w.-]+:\d+\]/g;
