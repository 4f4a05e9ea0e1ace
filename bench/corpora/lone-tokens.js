/** Tokens without a telling name beside them, made after the forms that others know. */
import { gitleaksRules } from './gitleaks.js';
import { chanceFrom } from './go-source.js';
import { secretlintExpressions } from './secretlint.js';
import { isTelling, tokenOf, waysToWrite } from './token-pieces.js';
import { trufflehogExpressions } from './trufflehog.js';

/** The expressions of each scanner, of which a token matches one: `{ kind, regex }`. */
export const EXPRESSIONS = {
  gitleaks: (folder) => gitleaksRules(folder).map(({ id, regex }) => ({ kind: id, regex })),
  trufflehog: trufflehogExpressions,
  secretlint: secretlintExpressions,
};

/** Each way to write a token of these expressions that gives it away by itself: `{ kind, pieces }`. */
export function tellingForms(expressions) {
  return expressions.flatMap(({ kind, regex }) =>
    ways(regex)
      .filter(isTelling)
      .map((pieces) => ({ kind, pieces })),
  );
}

/** What cannot be read tells nothing. */
function ways(regex) {
  try {
    return waysToWrite(regex);
  } catch {
    return [];
  }
}

/** `{ kind, text, secrets }`: so many tokens of each form, each in a sentence that does not say what it is. */
export function loneTokens(expressions, samples) {
  const chance = chanceFrom(2026);
  return tellingForms(expressions).flatMap(({ kind, pieces }) =>
    Array.from({ length: samples }, () => {
      const token = tokenOf(pieces, chance);
      return { kind, text: `It says ${token} there.`, secrets: [token] };
    }),
  );
}
