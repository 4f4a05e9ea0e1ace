import type { Cassette } from '../cassette/cassette.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import { type Setting, settingsOf } from './cassette-settings-text.ts';
import type { Interaction, SentMessage, SessionInteractions } from './session-interactions.ts';

/** Two cassettes with their sessions, and the pairs of corresponding messages. */
export interface ComparedSettings {
  cassettes: readonly [a: Cassette, b: Cassette];
  sessions: readonly [a: SessionInteractions, b: SessionInteractions];
  pairs: readonly (readonly [a: SentMessage, b: SentMessage])[];
}

/**
 * Differences in the settings that users write beside events: rules of `match` and, in cassettes written by hand, other
 * settings.
 */
export interface SettingsDifference {
  /** Messages of the first session whose counterpart, or its answer, has other settings. */
  messages: ReadonlySet<SentMessage>;
  /** Number of differences: messages with other settings, plus one for all events outside of messages. */
  count: number;
  notes: string[];
}

/**
 * Compares the settings of corresponding messages and of their answers. A recording never has rules. So if the second
 * session is a recording without any rule, the missing rules are noted, and do not count as differences.
 */
export function compareSettings({ cassettes, sessions, pairs }: ComparedSettings): SettingsDifference {
  const [a, b] = cassettes;
  const ruled = a.events.find(({ match }) => match !== undefined);
  if (ruled && b.header.recorder !== undefined && b.events.every(({ match }) => match === undefined)) {
    const note = `${a.file} has rules (match), as at line ${ruled.line}. ${b.file} is a recording and has none.`;
    return { messages: new Set(), count: 0, notes: [note] };
  }
  // Delays written by a recorder differ in every run.
  const isCompared = cassettes.every(({ header }) => header.recorder === undefined) ? () => true : isRule;
  const beside = (cassette: Cassette, positions: readonly number[], line: number): Beside => {
    const found = positions.map((position) => ({
      line: cassette.events[position]!.line,
      settings: settingsOf(cassette, position).filter(isCompared),
    }));
    const place = found.find(({ settings }) => settings.length > 0) ?? found[0];
    return { line: place?.line ?? line, values: valuesOf(found.flatMap(({ settings }) => settings)) };
  };
  const messages = new Set<SentMessage>();
  const notes = pairs.flatMap(([one, other]) => {
    const found = [
      noteOf(one.title, cassettes, [beside(a, one.events, one.line), beside(b, other.events, other.line)]),
      noteOf(`the answer to ${one.title}`, cassettes, [
        beside(a, answersOf(one), one.line),
        beside(b, answersOf(other), other.line),
      ]),
    ].filter((note) => note !== undefined);
    if (found.length > 0) messages.add(one);
    return found;
  });
  const rest = restNotes(cassettes, sessions);
  return { messages, count: messages.size + rest.length, notes: [...notes, ...rest] };
}

function isRule({ name }: Setting): boolean {
  return name.startsWith('match.');
}

/** Settings beside the events of one message. */
interface Beside {
  line: number;
  /** Values by the name of their setting, in a comparable form. */
  values: ReadonlyMap<string, string>;
}

function valuesOf(settings: readonly Setting[]): Map<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { name, value } of settings) {
    const ordered = name === 'match.ignore' && Array.isArray(value) ? [...new Set(value)].sort() : value;
    values.set(name, (values.get(name) ?? new Set()).add(canonicalJson(ordered)));
  }
  return new Map([...values].map(([name, each]) => [name, [...each].sort().join(' and ')]));
}

function answersOf(message: SentMessage): readonly number[] {
  return (message as Partial<Interaction>).answerEvents ?? [];
}

function noteOf(
  title: string,
  [a, b]: ComparedSettings['cassettes'],
  [one, other]: readonly [Beside, Beside],
): string | undefined {
  const names = [...new Set([...one.values.keys(), ...other.values.keys()])];
  const words = names.flatMap((name) => {
    const [was = 'none', is = 'none'] = [one.values.get(name), other.values.get(name)];
    return was === is ? [] : [`${name}: ${was} → ${is}`];
  });
  if (words.length === 0) return undefined;
  return `The settings of ${title} differ: ${a.file}:${one.line}, ${b.file}:${other.line}: ${words.join('; ')}`;
}

/** Returns a note if rules beside other events differ, such as progress notifications. */
function restNotes(cassettes: ComparedSettings['cassettes'], sessions: ComparedSettings['sessions']): string[] {
  const [one, other] = cassettes.map((cassette, index) => restOf(cassette, sessions[index]!)) as [Rest, Rest];
  const [gone, left] = [beyond(one, other), beyond(other, one)];
  if (gone.length === 0 && left.length === 0) return [];
  const text = [...gone, ...left].map(({ words, place }) => `${place} (${words})`).join(', ');
  return [`The settings of other events differ. Only one of the cassettes has: ${text}`];
}

type Rest = { words: string; place: string }[];

function restOf(cassette: Cassette, { interactions, sentMessages }: SessionInteractions): Rest {
  const taken = new Set([...interactions, ...sentMessages].flatMap((one) => [...one.events, ...answersOf(one)]));
  return cassette.events.flatMap(({ line, match }, position) => {
    if (match === undefined || taken.has(position)) return [];
    const values = valuesOf(settingsOf(cassette, position).filter(isRule));
    const words = [...values].map(([name, value]) => `${name}: ${value}`).join('; ');
    return [{ words, place: `${cassette.file}:${line}` }];
  });
}

/** Returns the rules of `some` that `others` lack or contain fewer times. */
function beyond(some: Rest, others: Rest): Rest {
  const left = others.map(({ words }) => words);
  return some.filter(({ words }) => {
    const at = left.indexOf(words);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
