import { viewOf } from '../lanes/view-with-lanes.ts';
import type { Item, TimelineSession, View } from '../report-data-types.ts';

/** Session on a timeline. */
interface PlacedSession extends TimelineSession {
  /** Milliseconds from the first start of all sessions to its own. */
  offset: number;
}

/**
 * Returns one view of several sessions, sorted by time. A session whose cassette does not say when it began is left
 * out, with a warning. Items of one session keep their order.
 */
export function timelineOf(views: readonly View[]): View {
  const labels = labelsOf(views);
  const given = views.map((view, index) => ({ label: labels[index]!, view }));
  const first = Math.min(...views.flatMap(({ start }) => start?.at ?? []));
  const sessions = given.flatMap((session): PlacedSession[] => {
    const { start } = session.view;
    return start === undefined ? [] : [{ ...session, offset: start.at - first }];
  });
  const clients = distinct(sessions.map(({ view }) => view.client));
  const revisions = distinct(sessions.map(({ view }) => view.revision));
  const head = {
    title: `Timeline of ${sessions.length} sessions`,
    kind: 'session' as const,
    facts: sessions.map(({ label, view }) => (label.includes(view.title) ? label : `${label}: ${view.title}`)),
    warnings: [...clientWarnings(clients), ...given.flatMap(warningsOf)],
    ...(clients.length > 0 && { client: clients.join(' and ') }),
    ...(revisions.length > 0 && { revision: revisions.join(', ') }),
    capabilities: {
      client: distinct(sessions.flatMap(({ view }) => view.capabilities.client)),
      server: [],
    },
  };
  return { ...viewOf(head, mergedItems(sessions)), sessions: sessions.map(({ label, view }) => ({ label, view })) };
}

/** Returns the name of each server. The file tells servers of one name apart, and stands for a server without a name. */
function labelsOf(views: readonly View[]): string[] {
  const names = views.map(({ serverName }) => serverName);
  return views.map(({ title }, index) => {
    const name = names[index];
    if (name === undefined) return title;
    return names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${title})`;
  });
}

function mergedItems(sessions: readonly PlacedSession[]): Item[] {
  const all = sessions.flatMap(({ view, offset }, session) =>
    view.items.map((item, position) => ({ item, session, position, at: offset + item.at })),
  );
  // The sort is stable: of items with one time, those of an earlier session come first, in their order.
  all.sort((one, other) => one.at - other.at);
  const places = sessions.map(({ view }): number[] => new Array(view.items.length).fill(0));
  for (const [place, { session, position }] of all.entries()) places[session]![position] = place;
  return all.map(({ item, session, position, at }): Item => {
    const merged: Item = { ...item, id: `s${session + 1}-${item.id}`, at };
    for (const link of LINKS) if (item[link] !== undefined) merged[link] = places[session]![item[link]]!;
    merged.origin = { server: sessions[session]!.label, session, position };
    return merged;
  });
}

/** Fields of an item that are positions of other items. */
const LINKS = ['answer', 'request', 'cancel', 'within'] as const;

function clientWarnings(clients: readonly string[]): string[] {
  return clients.length < 2 ? [] : [`The sessions have different clients: ${clients.join(' and ')}.`];
}

function warningsOf({ label, view }: TimelineSession): string[] {
  const own = view.warnings.map((warning) => `${label}: ${warning}`);
  if (view.start === undefined) return [...own, `${label} is left out: its cassette does not say when it began.`];
  if (view.start.isRounded)
    own.push(
      `${label}: the cassette has its start to the second only, so its calls may be shown up to a second early.`,
    );
  if (view.items.length > 1 && view.lasted === 0)
    own.push(`${label}: the cassette has no pauses, so all of its calls have the time of its start.`);
  return own;
}

function distinct(names: readonly (string | undefined)[]): string[] {
  return [...new Set(names.filter((name) => name !== undefined))];
}
