import type { Cassette } from '../cassette/cassette.ts';
import { coversAllDifferences } from '../contract/changes-cover-differences.ts';
import { contractChanges, worstOf } from '../contract/contract-changes.ts';
import { differenceWords } from '../contract/describe-message-difference.ts';
import { newOutputFields } from '../contract/schema/new-output-fields.ts';
import { slowerWords, timesInPairsNotes } from '../contract/slower-answer.ts';
import type { Change } from '../match/contract-change-types.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import { type CorrespondingIds, correspondingIds, idsKeptInBoth } from './corresponding-ids.ts';
import { compareSettings } from './match-rules-difference.ts';
import { minimalMoves } from './minimal-moves.ts';
import { AnswerIds } from './mismatched-answer-ids.ts';
import { pairMessagesByIdentity } from './pair-messages-by-identity.ts';
import {
  type Interaction,
  type SentMessage,
  type SessionInteractions,
  sessionInteractions,
} from './session-interactions.ts';
import { redactedValueNotes, ruledOutNotes, withRules } from './without-ruled-out-values.ts';

/** Difference between two sessions. */
export interface Entry {
  kind: 'changed' | 'moved' | 'gone' | 'new';
  /** Title of the exchange or notification: `tools/call "add"`. */
  title: string;
  /** Lines in the two files. Absent if that session has no counterpart. */
  a?: number;
  b?: number;
  /** Description in one line. */
  headline: string;
  /** Changes of a server's promises, each with its severity for callers. */
  changes: readonly Change[];
  /** Whether `changes` covers all differences. */
  hasAllChanges?: boolean;
  /** Whether only the client of the second session sends the message, so that no caller is affected. */
  isAddedByClient?: boolean;
  /** Whether `--fail-on` lets the entry pass. */
  passes?: boolean;
  /** Values for a drawn diff. */
  before?: unknown;
  after?: unknown;
}

/**
 * Differences between two sessions, in the order of the first session. Elements found only in the second session keep
 * their position.
 */
export interface SessionDiff {
  a: string;
  b: string;
  /** Number of equal exchanges and notifications. */
  same: number;
  /** Number of exchanges and notifications with other settings beside their events, such as rules of `match`. */
  otherSettings: number;
  entries: Entry[];
  notes: string[];
  /** Those of `notes` on the settings that `otherSettings` counts. */
  settingsNotes: string[];
}

/**
 * Compares two sessions by meaning. Requests are matched by identity, in any order. Answers are compared without
 * volatile values. `ignore` excludes further parts. `slower`: maximum duration of an answer in `b`, as a multiple of
 * its duration in `a`.
 */
export function diffSessions(a: Cassette, b: Cassette, ignore: readonly Ignore[] = [], slower?: number): SessionDiff {
  const sessions = [sessionInteractions(a, ignore), sessionInteractions(b, ignore)] as const;
  const diffWith = (ids: CorrespondingIds) => diffWithIds([a, b], { sessions, ids, ignore, slower });
  const ids = correspondingIds(...sessions);
  const kept = idsKeptInBoth(...sessions, ids);
  if (kept.size === 0) return diffWith(ids);
  // An id of both sessions is the same one, or two servers count from different numbers: the fewer differences decide.
  const [asKept, asMadeUp] = [diffWith(correspondingIds(...sessions, kept)), diffWith(ids)];
  const fewer = asMadeUp.entries.length - asKept.entries.length || asKept.same - asMadeUp.same;
  return fewer < 0 ? asMadeUp : asKept;
}

/** What two sessions are compared with. */
interface Assumptions {
  sessions: readonly [a: SessionInteractions, b: SessionInteractions];
  ids: CorrespondingIds;
  ignore: readonly Ignore[];
  slower: number | undefined;
}

function diffWithIds(
  [a, b]: readonly [Cassette, Cassette],
  { sessions: [before, recordedAfter], ids, ignore, slower }: Assumptions,
): SessionDiff {
  const after = ids.inTermsOfFirst(recordedAfter);
  const sessions = [before, after] as const;
  const toolLists = sessions.map((one) => one.interactions.filter(({ request }) => request.method === 'tools/list'));
  const answerIds = new AnswerIds({ ids, sessions, ignore });
  const comparison: Comparison = { ids, slower, sessions, toolLists, answerIds };
  const interactions = pairMessagesByIdentity(before.interactions, after.interactions);
  const sentMessages = pairMessagesByIdentity(before.sentMessages, after.sentMessages);
  const compared = [
    ...interactions.pairs.map((pair) => withRules(pair, (one, other) => interactionEntry(one, other, comparison))),
    ...sentMessages.pairs.map((pair) => withRules(pair, (one, other) => messageEntry(one, other, ids))),
  ];
  const entryOf = new Map(compared.map(({ one, entry }) => [one, entry]));
  const changed = [...entryOf.values()].filter((entry) => entry !== undefined);
  const pairs = [...interactions.pairs, ...sentMessages.pairs];
  const settings = compareSettings({ cassettes: [a, b], sessions: [before, after], pairs });
  const moved = minimalMoves(interactions.pairs.filter(([{ from }]) => from === 'client')).map(
    ({ pair: [one, other], other: neighbour, now }): Entry => ({
      ...lines(one, other),
      kind: 'moved',
      headline: `now comes ${now} ${neighbour.title} (line ${neighbour.line})`,
      changes: [],
    }),
  );
  const single = [
    ...[...interactions.onlyA, ...sentMessages.onlyA]
      .filter((one) => !mayBeLeftOut(one))
      .map((one) => singleEntry(one, 'gone')),
    ...[...interactions.onlyB, ...sentMessages.onlyB].map((one) => singleEntry(one, 'new')),
  ];
  const entries = [...changed, ...moved, ...single, ...junkEntries(before, after)].sort(
    (one, other) => place(one) - place(other),
  );
  const times = timesInPairsNotes({ pairs: interactions.pairs, factor: slower, file: b.file });
  return {
    a: a.file,
    b: b.file,
    same: pairs.filter(([one]) => entryOf.get(one) === undefined && !settings.messages.has(one)).length,
    otherSettings: settings.count,
    entries: [...entries, ...exitEntries(before, after)],
    notes: [
      ...notesOf(a, b),
      ...ids.notes(),
      ...settings.notes,
      ...ruledOutNotes(a, compared),
      ...redactedValueNotes([a, b], pairs),
      ...times,
    ],
    settingsNotes: settings.count > 0 ? settings.notes : [],
  };
}

/** Reports whether another server may omit a message. A message omitted by a client would also lack an answer. */
function mayBeLeftOut({ from, match }: SentMessage): boolean {
  return from === 'server' && match?.optional === true;
}

function place({ a, b }: Entry): number {
  return a ?? b ?? Number.POSITIVE_INFINITY;
}

function lines(a: SentMessage, b: SentMessage): Pick<Entry, 'title' | 'a' | 'b'> {
  return { title: a.title, a: a.line, b: b.line };
}

/** Context for comparing two requests with their outcomes. */
interface Comparison {
  ids: CorrespondingIds;
  answerIds: AnswerIds;
  sessions: readonly [a: SessionInteractions, b: SessionInteractions];
  /** Requests for the list of tools, in both sessions. */
  toolLists: readonly (readonly Interaction[])[];
  slower: number | undefined;
}

function interactionEntry(a: Interaction, recorded: Interaction, comparison: Comparison): Entry | undefined {
  const { ids, answerIds, slower = Number.POSITIVE_INFINITY } = comparison;
  const b = { ...recorded, said: ids.renamed(recorded.said), answer: ids.renamed(recorded.answer) };
  const asked = saidWords(a, recorded, ids);
  const wrong = answerIds.wrongIn(a, recorded);
  const outcome = outcomeWords(a, b);
  const judged = outcome === '' ? [] : ids.wrongIds(a.answer, recorded.answer).map(({ words }) => words);
  const came = [...new Set([...(wrong?.words ?? []), ...judged, outcome])].filter((words) => words !== '').join(', ');
  const grown = slowerWords(a.request.method, { before: a.took ?? 0, after: b.took ?? 0 }, slower) ?? '';
  if (asked === '' && came === '' && grown === '') return undefined;
  const fields = wrong ? [] : outputFields(a, b, comparison);
  const changes = fields.length > 0 ? fields : contractChanges(a.request, a.answer, b.answer);
  const areAll = isOnlyAnotherAnswer(a, b, changes, fields.length > 0);
  const headline = [
    ...(asked === '' ? [] : [`asks otherwise: ${asked}`]),
    ...(changes.length > 0 ? [worstOf(changes, areAll), ...(wrong?.words ?? [])] : came === '' ? [] : [came]),
    ...(grown === '' ? [] : [grown]),
  ].join('; ');
  const [one, other] = wrong
    ? [
        { ...a, answer: wrong.before },
        { ...b, answer: wrong.after },
      ]
    : [a, b];
  const [before, after] = asked === '' ? [outcomeOf(one), outcomeOf(other)] : [wholeOf(one), wholeOf(other)];
  const hasAllChanges = asked === '' && grown === '' && wrong === undefined && areAll;
  return {
    ...lines(a, b),
    kind: 'changed',
    headline,
    changes,
    ...(hasAllChanges && { hasAllChanges }),
    ...(asked + came !== '' && { before, after }),
  };
}

/** Reports whether the outcomes of two requests differ only in their answers, as covered by `changes`. */
function isOnlyAnotherAnswer(a: Interaction, b: Interaction, changes: readonly Change[], areFields: boolean): boolean {
  const isSameFate = fateOf(a) === fateOf(b) && a.progress > 0 === b.progress > 0;
  return (
    isSameFate &&
    (areFields || coversAllDifferences({ request: a.request, recorded: a.answer, live: b.answer, changes }))
  );
}

/** Returns the changes of an answer whose only differences are new fields declared in the tool list. */
function outputFields(a: Interaction, b: Interaction, { sessions, toolLists }: Comparison): Change[] {
  const [recorded, live] = [a, b].map((one, index) => {
    const list = toolLists[index]!.findLast(({ began }) => began < one.began);
    const { entries } = sessions[index]!;
    return { compared: one.answer, received: entries[one.ended]?.message, tools: list?.answer };
  });
  return newOutputFields(a.request, recorded!, live!);
}

/** Describes a changed outcome of a request. Empty: the outcome is unchanged. */
function outcomeWords(a: Interaction, b: Interaction): string {
  const [was, is] = [fateOf(a), fateOf(b)];
  if (was !== is) return `${was} → ${is}`;
  const words = differenceWords(a.answer, b.answer);
  if (words !== '' || a.progress === b.progress) return words;
  return a.progress > 0 && b.progress > 0 ? '' : `${a.progress} → ${b.progress} reports of progress`;
}

function fateOf({ answer, refused, isCancelled }: Interaction): string {
  if (refused !== undefined) return `refused with ${refused}`;
  if (answer !== undefined) return isCancelled ? 'answered though cancelled' : 'answered';
  return isCancelled ? 'cancelled' : 'never answered';
}

/** Returns the value for the drawn diff: the answer, or a description of the missing answer. */
function outcomeOf(interaction: Interaction): unknown {
  return interaction.answer ?? fateOf(interaction);
}

function wholeOf(interaction: Interaction): unknown {
  return { asked: interaction.said, came: outcomeOf(interaction) };
}

function messageEntry(a: SentMessage, b: SentMessage, ids: CorrespondingIds): Entry | undefined {
  const headline = saidWords(a, b, ids);
  if (headline === '') return undefined;
  return { ...lines(a, b), kind: 'changed', headline, changes: [], before: a.said, after: ids.renamed(b.said) };
}

/** Describes the differences between two messages. Empty if they are equal. */
function saidWords(a: SentMessage, b: SentMessage, ids: CorrespondingIds): string {
  const words = differenceWords(a.said, ids.renamed(b.said));
  return words === '' ? '' : [...ids.wrongIds(a.said, b.said).map((wrong) => wrong.words), words].join(', ');
}

function singleEntry({ title, line, said, from }: SentMessage, kind: 'gone' | 'new'): Entry {
  const where = kind === 'gone' ? { a: line, before: said } : { b: line, after: said };
  const headline = kind === 'gone' ? `the ${from} no longer says this` : `the ${from} did not say this`;
  const isAddedByClient = kind === 'new' && from === 'client';
  return { kind, title, headline, changes: [], ...(isAddedByClient && { isAddedByClient }), ...where };
}

function junkEntries(before: SessionInteractions, after: SessionInteractions): Entry[] {
  const title = 'a line that is not a message';
  const [gone, left] = [beyond(before.junk, after.junk), beyond(after.junk, before.junk)];
  return [
    ...gone.map(({ line, text }): Entry => ({ kind: 'gone', title, a: line, headline: text, changes: [] })),
    ...left.map(({ line, text }): Entry => ({ kind: 'new', title, b: line, headline: text, changes: [] })),
  ];
}

/** Returns the lines of `some` that `others` lacks or contains fewer times. */
function beyond(some: SessionInteractions['junk'], others: SessionInteractions['junk']): SessionInteractions['junk'] {
  const counts = new Map<string, number>();
  for (const { text } of others) counts.set(text, (counts.get(text) ?? 0) + 1);
  return some.filter(({ text }) => {
    const count = counts.get(text) ?? 0;
    counts.set(text, count - 1);
    return count <= 0;
  });
}

function exitEntries({ exit: was }: SessionInteractions, { exit: is }: SessionInteractions): Entry[] {
  // A server that outlived its recorder has no exit status to compare.
  if (was === is || was === undefined || is === undefined) return [];
  return [{ kind: 'changed', title: 'exit of the server', headline: `${was} → ${is}`, changes: [] }];
}

function notesOf(a: Cassette, b: Cassette): string[] {
  const [was, is] = [a.header.transport, b.header.transport];
  return was === is ? [] : [`The one was recorded over ${was}, the other over ${is}.`];
}
