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
/** Faults with parameters, as points of the sweep name them. */
const NAMES = { corrupt: 'corrupt:kind=bad-json', 404: 'http-status:status=404', 503: 'http-status:status=503' };

export const faultOf = (point) => point.slice(0, point.indexOf('@'));

/** Returns the points of a group over a transport. */
export const pointsOver = (transport, group) =>
  group.points.filter((point) => transport === 'http' || !HTTP_ONLY.has(faultOf(point)));

/** Returns the name of a point in the sweep, such as `stall@4` for `stall@call`. `call` is the position of the answer to the first call in the cassette. */
export function sweptName(point, call) {
  const fault = faultOf(point);
  return `${NAMES[fault] ?? fault}@${point.endsWith('@open') ? 1 : call}`;
}
