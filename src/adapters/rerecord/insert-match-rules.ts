import type { Cassette } from '../../cassette/cassette.ts';
import { type EditableCassette, editableCassette } from '../../cassette/edit/editable-cassette.ts';
import { parseCassette } from '../../cassette/read/parse-cassette.ts';
import { yamlPackage } from '../../cassette/read/yaml/load-yaml-package.ts';
import { KEY_COLUMN } from '../../cassette/write/format-event.ts';
import { jsonToYaml } from '../../cassette/write/json-to-yaml.ts';
import { cassetteLines } from '../../edit/cassette-lines.ts';
import { notEdited } from '../../edit/not-edited.ts';
import { canonicalJson } from '../../match/canonical-json.ts';

/** A cassette with its text. */
interface CassetteText {
  cassette: Cassette;
  text: string;
}

/**
 * Returns the text of a new recording with rules of `match` beside its events.
 * @param origins events of `former` whose rules are inserted, by event of the recording
 * @throws McpRecordError CASSETTE_NOT_EDITED if the rules would be read differently
 */
export function insertMatchRules(
  recording: CassetteText,
  former: CassetteText,
  origins: ReadonlyMap<number, number>,
): string {
  const spelling = editableCassette(former.text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'), former.cassette.file);
  const asWritten = inserted(recording, origins, (event) => flowText(spelling, event) ?? yamlText(former, event));
  if (isRead(asWritten, recording, former, origins)) return asWritten;
  const rewritten = inserted(recording, origins, (event) => yamlText(former, event));
  if (isRead(rewritten, recording, former, origins)) return rewritten;
  throw notEdited(former.cassette.file, 'its rules would be read differently in the new recording');
}

function inserted(
  { cassette, text }: CassetteText,
  origins: ReadonlyMap<number, number>,
  ruleText: (event: number) => string,
): string {
  const { head, events, tail } = cassetteLines(text, cassette.file);
  const lines = events.map(({ text: event }, index) => {
    const origin = origins.get(index);
    return origin === undefined ? event : `${event}${' '.repeat(KEY_COLUMN)}match:${ruleText(origin)}\n`;
  });
  return [head, ...lines, tail].join('');
}

/** Returns the rules of an event as they are written, if they stand on one line. */
function flowText({ events }: EditableCassette, event: number): string | undefined {
  const { isMap } = yamlPackage();
  const { source, node } = events[event]!;
  const { map } = node();
  const rules = isMap(map) ? map.get('match', true) : undefined;
  if (!isMap(rules) || !rules.range) return undefined;
  const written = source.text.slice(rules.range[0], rules.range[1]);
  return rules.flow && !written.includes('\n') ? ` ${written}` : undefined;
}

function yamlText({ cassette }: CassetteText, event: number): string {
  const json = JSON.stringify(cassette.events[event]!.match);
  return jsonToYaml(json, KEY_COLUMN) ?? ` ${json}`;
}

/** Reports whether a text has the events of the recording, with the rules beside them. */
function isRead(
  text: string,
  { cassette: { file, events } }: CassetteText,
  { cassette: former }: CassetteText,
  origins: ReadonlyMap<number, number>,
): boolean {
  try {
    const found = parseCassette(text, file).events;
    const wanted = events.map(({ match }, index) => former.events[origins.get(index) ?? -1]?.match ?? match);
    return (
      found.length === events.length &&
      found.every(({ match }, index) => canonicalJson(match ?? null) === canonicalJson(wanted[index] ?? null))
    );
  } catch {
    return false;
  }
}
