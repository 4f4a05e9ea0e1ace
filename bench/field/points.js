/** The faults of the sweep of clients, in groups. A point is a fault at the answer to `initialize` (`open`), or at the answer to the first call (`call`). */
export const GROUPS = [
  { title: 'opening', points: ['stall@open', 'exit@open', 'corrupt@open', 'error-reply@open', 'version@open'] },
  { title: 'silence', points: ['stall@call', 'drop@call', 'late@call'] },
  { title: 'end', points: ['half-close@call', 'exit@call', 'cut@call', 'reset@call'] },
  { title: 'damage', points: ['truncate@call', 'corrupt@call', 'junk@call', 'slice@call', 'oversize@call'] },
  { title: 'answer', points: ['wrong-id@call', 'duplicate@call', 'error-reply@call'] },
  { title: 'status', points: ['404@call', '503@call'] },
];

const HTTP_ONLY = new Set(['reset', '404', '503']);
/** Faults with parameters: what `--faults` needs for them. */
const PARAMETERS = { corrupt: 'corrupt:kind=bad-json', 404: 'http-status:status=404', 503: 'http-status:status=503' };

export const faultOf = (point) => point.slice(0, point.indexOf('@'));

/** Returns the points of a group over a transport. */
export const pointsOver = (transport, group) =>
  group.points.filter((point) => transport === 'http' || !HTTP_ONLY.has(faultOf(point)));

/**
 * Returns the points of `sweep` for these points. `answers` is the position of both answers among the messages that this client gets: some clients
 * try a newer revision first, or open a stream, and get an error before.
 */
export function pointOptions(points, answers) {
  const faults = [...new Set(points.map((point) => PARAMETERS[faultOf(point)]))].filter((fault) => fault !== undefined);
  const named = points.flatMap((point) => ['--point', sweptName(point, answers)]);
  return [...(faults.length > 0 ? ['--faults', faults.join(',')] : []), ...named];
}

/** Returns the name of a point in the sweep, such as `http-status@4` for `404@call`. */
export function sweptName(point, answers) {
  const fault = faultOf(point);
  return `${/^\d/.test(fault) ? 'http-status' : fault}@${answers[point.endsWith('@open') ? 0 : 1]}`;
}

/** Divides points into sweeps, since a sweep has each fault with one set of parameters. */
export function sweepsOf(points) {
  const others = points.filter((point) => point !== '503@call');
  return [others, points.filter((point) => point === '503@call')].filter((some) => some.length > 0);
}
