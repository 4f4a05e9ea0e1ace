import { markSchemes } from './detect/bearer-and-basic.ts';
import { NAME_GRAMS } from './detect/credential-names.ts';
import { markCommands } from './detect/known-command-passwords.ts';
import { markPorts } from './detect/pgpass-netrc.ts';
import { markTokens } from './detect/tokens/find-known-tokens.ts';
import { emptyTrigramTable, MAY_HOLD, mark, type TrigramTable } from './fast-prefilter/trigram-scan.ts';

/** Number of redactors that share one trigram table of 256 KB. */
export const SHARED_BY = 64;
let shared: TrigramTable | undefined;
let users = 0;

/** Returns a trigram table shared by several redactors. Secrets of other redactors add hints, but no findings. */
export function trigramTableForRedactors(): TrigramTable {
  if (shared === undefined || users === SHARED_BY) {
    shared = initialMarks();
    users = 0;
  }
  users++;
  return shared;
}

function initialMarks(): TrigramTable {
  const marks = emptyTrigramTable();
  markTokens(marks);
  for (const gram of NAME_GRAMS) mark(marks, gram, MAY_HOLD.name);
  markSchemes(marks);
  markCommands(marks);
  markPorts(marks);
  return marks;
}
