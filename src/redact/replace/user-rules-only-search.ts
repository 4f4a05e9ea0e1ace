import { isDistinctive } from '../detect/plausibility.ts';
import { scanText } from '../fast-prefilter/trigram-scan.ts';
import { isRedactableByRule } from '../rules/protocol-fields.ts';
import { KnownValues } from './known-values.ts';
import { jsonEdits } from './redact-json.ts';
import { textEdits } from './redact-text.ts';
import type { DetectionContext } from './shared-detector-state.ts';

/** Maximum number of remembered values. Further values are redacted only where a rule matches. */
const VALUES_MAX = 100_000;

/**
 * Creates the search of protocol values: for matches of user rules, and for values that these rules have redacted
 * elsewhere. Decodes encodings, but has no built-in detectors.
 */
export function searchByRules(
  parts: Pick<DetectionContext, 'marks' | 'rules' | 'redact' | 'noteNumber' | 'allowedIn'>,
): Pick<DetectionContext, 'redactByRule' | 'byRules'> {
  const { marks, redact } = parts;
  const needles = new KnownValues(marks);
  const redacted = new Map<string, () => string>();
  const redactByRule: DetectionContext['redactByRule'] = (name, value) => {
    const instead = redact(name, value);
    if (instead === undefined || redacted.has(value) || redacted.size >= VALUES_MAX) return instead;
    // A value of the environment gets its placeholder when a message has it.
    const placeholder = () => redact(name, value) ?? instead;
    redacted.set(value, placeholder);
    if (isDistinctive(value)) needles.add(value, placeholder);
    return instead;
  };
  const byRules: DetectionContext['byRules'] = (text, where) => {
    const edits = textEdits(text, search, 0, where);
    // Text search skips short cursors, so a cursor repeated by the other side is replaced here.
    const instead = isRedactableByRule(String(where.path?.at(-1))) ? redacted.get(text) : undefined;
    return instead === undefined ? edits : [...edits, { start: 0, end: text.length, text: instead() }];
  };
  const search: DetectionContext = {
    ...parts,
    needles,
    isBuiltIn: false,
    redactByRule,
    byRules,
    look: (text) => scanText(text, marks),
    keep: () => {},
    reportUnredactable: () => {},
    inText: (inner, nesting, where) => textEdits(inner, search, nesting, where),
    inJson: (inner, nesting) => jsonEdits(inner, search, nesting, false),
  };
  return { redactByRule, byRules };
}
