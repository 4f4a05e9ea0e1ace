import { type EditableCassette, editableCassette } from '../../cassette/edit/editable-cassette.ts';
import { redactRulesEdit } from '../../cassette/edit/redact-rules-edit.ts';
import { normalizeBreaks } from '../../cassette/read/source-text.ts';
import { missingRules } from './missing-rules.ts';

/** A cassette, and the text before its redaction. */
interface ListedCassette {
  text: string;
  file: string;
}

/**
 * Returns the names of rules that a cassette lists. One that lists none, as of an older recorder, may have placeholders
 * of rules: those that nothing else explains.
 */
export function listedRulesIn(text: string, redactRules: readonly string[] | undefined): readonly string[] {
  return redactRules ?? missingRules({ text, header: {} }, {}, {}).names;
}

/**
 * Returns the text of a cassette whose header lists the rules that have redacted it: those before, and `names`, the ones
 * that have redacted what was added. Its line breaks are kept.
 */
export function listRedactRules({ text, file }: ListedCassette, before: string, names: readonly string[]): string {
  const plain = normalizeBreaks(text);
  const editable = editableCassette(plain, file);
  const edited = withNames(editable, plain, [...listedRulesIn(before, editable.cassette.header.redactRules), ...names]);
  return text.includes('\r\n') ? edited.replaceAll('\n', '\r\n') : edited;
}

/** Returns the text with these names in its header. A header without a place for them stays. */
export function withNames(editable: EditableCassette, plain: string, names: readonly string[]): string {
  const all = [...new Set(names)];
  const known = editable.cassette.header.redactRules;
  if (known?.length === all.length) return plain;
  const edit = redactRulesEdit(editable, all);
  return edit === undefined ? plain : plain.slice(0, edit.start) + edit.text + plain.slice(edit.end);
}
