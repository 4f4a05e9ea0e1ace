import { missingVariablesAdvice } from '../io/client-environment.ts';

/** Advice beside that of a missing secret, if the options have no redaction rules. */
export const OWN_RULES_ADVICE: string =
  'If rules of your own redacted them, give these as well, so that the answers equal the recorded ones: --redact-rules FILE.';

const RULES_ADVICE =
  'If a rule of yours redacted it, give verify the same rule: --redact-rules FILE, --redact-pattern, --redact-key or --redact-pointer.';

/** Returns advice for a placeholder. A variable with a short value is no secret by itself. */
export function adviseOnPlaceholder(variable: string | undefined): string {
  if (variable === undefined) return RULES_ADVICE;
  const isSet = process.env[variable] !== undefined;
  const next = isSet
    ? `is set here, to a value that could be an ordinary word. Add --secrets-from-env ${variable}.`
    : `is not set here. Set it to the value that the server has, and add --secrets-from-env ${variable}.${missingVariablesAdvice([variable])}`;
  return `The variable ${variable}, which its placeholder is named after, ${next} ${RULES_ADVICE}`;
}

/** Returns how to give secrets to `verify`. */
export function adviseToGive(variables: readonly string[]): string {
  const [it, add] = variables.length === 1 ? ['it', 'this variable'] : ['them', 'these variables'];
  return `To compare ${it}, set ${add}, and add to --secrets-from-env: ${variables.join(',')}.`;
}
