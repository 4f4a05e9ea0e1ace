import type { Cassette } from '../../cassette/cassette.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';

/** Maximum number of points that share a session. */
export const SHARING_MAX = 10;

interface Group<Session> {
  /** Number of points that have not been played. */
  missing: number;
  /** Starts the session. */
  begin(): void;
  session: Promise<Session>;
}

export interface SharedFreshSessionsOptions<Point, Session> {
  /** Returns the cassette that is played at a point. Points share a session if they have the same one. */
  cassetteOf(point: Point): Cassette;
  play(cassette: Cassette): Promise<Session>;
  /** Maximum number of points that run at once. */
  all: number;
}

/**
 * Sessions without misbehaviour, each played after several points that run at once. Each bad point runs again alone, with
 * a session of its own: a shared one only finds out whether any of its points has damaged what the server stores.
 */
export class SharedFreshSessions<Point, Session> {
  /** All points. Those that share a session are next to each other, so that they are played at about the same time. */
  readonly points: Point[];
  readonly #groups = new Map<Point, Group<Session>>();

  constructor(points: readonly Point[], options: SharedFreshSessionsOptions<Point, Session>) {
    const sharing = new ListMap<Cassette, Point>();
    for (const point of points) sharing.add(options.cassetteOf(point), point);
    this.points = [...sharing.values()].flat();
    // Points that wait for a session of the others keep their places.
    const size = Math.min(SHARING_MAX, options.all);
    for (const [cassette, own] of sharing) {
      for (let from = 0; from < own.length; from += size) {
        const members = own.slice(from, from + size);
        const group = groupOf(members.length, () => options.play(cassette));
        for (const point of members) this.#groups.set(point, group);
      }
    }
  }

  /** Resolves with the session after a point, once the other points of this session have been played or left out. */
  after(point: Point): Promise<Session> {
    const group = this.#groups.get(point)!;
    group.missing--;
    if (group.missing === 0) group.begin();
    return group.session;
  }

  /** Lets the other points of a session no longer wait for this one. */
  leaveOut(point: Point): void {
    this.after(point).catch(() => {});
  }
}

function groupOf<Session>(missing: number, play: () => Promise<Session>): Group<Session> {
  let begin = () => {};
  const session = new Promise<void>((resolve) => {
    begin = resolve;
  }).then(play);
  return { missing, begin, session };
}
