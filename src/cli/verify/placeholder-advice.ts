/** Advice beside that of a missing secret, if the options have no redaction rules. */
export const OWN_RULES_ADVICE: string =
  'If rules of your own redacted them, give these as well, so that the answers equal the recorded ones: --redact-rules FILE.';

const RULES_ADVICE =
  'If a rule of yours redacted it, give verify the same rule: --redact-rules FILE, --redact-pattern, --redact-key or --redact-pointer.';

/** Returns advice for a placeholder. A variable with a short value is no secret by itself. */
export function adviseOnPlaceholder(variable: string | undefined): string {
  if (variable === undefined) return RULES_ADVICE;
  return `Its placeholder is named after the variable ${variable}: set it to the value that the server has, and add --secrets-from-env ${variable}. ${RULES_ADVICE}`;
}
