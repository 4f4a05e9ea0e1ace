import { normalizeBreaks } from '../../cassette/read/source-text.ts';
import { YAML_LENGTH_MAX } from '../../cassette/read/yaml/full-yaml-reader.ts';
import { type YamlData, yamlData } from '../../cassette/read/yaml/located-data.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isObject } from '../../protocol/message.ts';
import { allPlaceholdersIn } from '../../redact/decode/find-encoded-placeholders.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { placeholderOf } from '../../redact/replace/placeholder-format.ts';
import type { CassetteSecret, RedactedCassette } from './redact-cassette.ts';

type Path = readonly (string | number)[];

/** Key of a scenario at the beginning of a line, which no recorder writes there. */
const PLAY = /^play\s*:/m;

/** Returns the data of a scenario, which its required keys tell from a cassette. Undefined: the text is none. */
export function scenarioIn(text: string, file: string): YamlData | undefined {
  if (text.length > YAML_LENGTH_MAX || !PLAY.test(text)) return undefined;
  try {
    const data = yamlData({ file, text: normalizeBreaks(text), line: 1 });
    const { value } = data;
    const isScenario = isObject(value) && 'cassette' in value && 'play' in value && 'expect' in value;
    return isScenario && !('events' in value) && !('format' in value) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the secrets of a scenario, which is shared together with its cassette. They are found, and not replaced. */
export function searchScenario(text: string, { value, placeOf }: YamlData, redactor: Redactor): RedactedCassette {
  const kept = redactor.json(new JsonText(JSON.stringify(value))).value;
  const inValues = changes(value, kept, []).map(({ path, safe }) => ({ line: placeOf(path).line, safe }));
  // Comments are no values.
  const inLines = normalizeBreaks(text)
    .split('\n')
    .map((old, at) => ({ line: at + 1, old, safe: redactor.text(old) }))
    .filter(({ old, safe }) => old !== safe);
  const others = inValues.filter(({ line }) => !inLines.some((one) => one.line === line));
  const secrets = [...inLines, ...others].sort((one, other) => one.line - other.line).flatMap(secretsOf);
  return { text, linesAdded: 0, secrets, unredactable: [], warnings: [] };
}

function secretsOf({ line, safe }: { line: number; safe: string }): CassetteSecret[] {
  return allPlaceholdersIn(safe).map(({ name, n }) => ({ line, kind: name, placeholder: placeholderOf(name, n) }));
}

/** Returns the values that redaction has changed, each with what it became. */
function changes(value: unknown, kept: unknown, path: Path): { path: Path; safe: string }[] {
  const isPair = (Array.isArray(value) && Array.isArray(kept)) || (isObject(value) && isObject(kept));
  if (!isPair) return value === kept ? [] : [{ path, safe: JSON.stringify(kept) }];
  const [old, now] = [Object.entries(value as object), Object.entries(kept as object)];
  return old.flatMap(([key, one], at) => {
    const [newKey, other] = now[at] ?? ['', undefined];
    const below = [...path, Array.isArray(value) ? at : key];
    return [...(key === newKey ? [] : [{ path: below, safe: newKey }]), ...changes(one, other, below)];
  });
}
