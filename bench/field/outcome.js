/** What the user of a client sees of a fault, from a result of `sweep --json` and the lines `seen …` of a driver. */
import { faultOf } from './points.js';

/** The marks of the tables, with their meaning. The bad ones are surprises for a user. */
export const MARKS = {
  '·': { title: 'no harm', meaning: 'Both calls got the right answers.' },
  r: { title: 'error', meaning: 'The application got an error, and the next call worked. At the opening: no session.' },
  t: {
    title: 'error as a result',
    meaning: 'The call returned a text that tells of the error, and the next call worked.',
  },
  l: { title: 'session lost', meaning: 'The call failed or not, and the next call failed, too.' },
  H: { title: 'hung', meaning: 'The program had not ended after 200 s.', isBad: true },
  C: { title: 'crashed', meaning: 'An error that the application could not catch ended the program.', isBad: true },
  L: { title: 'leaked', meaning: 'A process outlived the program.', isBad: true },
  '!': { title: 'lied', meaning: 'The application saw no error, although the answer never came.', isBad: true },
  w: {
    title: 'wrong result',
    meaning: 'The application got a result that is not the answer, and no error.',
    isBad: true,
  },
  a: {
    title: 'accepted',
    meaning: 'The client went on with a revision of the protocol that it cannot know.',
    isBad: true,
  },
  '-': { title: 'not reached', meaning: 'The client never did what the fault needs.' },
};

const OF_VERDICT = { hung: 'H', crashed: 'C', leaked: 'L', lied: '!', unreached: '-' };
const TELLS_OF_ERROR =
  /error|fail|time[d -]?out|abort|cancel|closed|disconnect|terminated|unavailable|not found|not connected/i;

/** Returns the lines `seen …` in standard error, as one object: the outcome of each step. */
export function seenIn(stderr) {
  const lines = [...stderr.matchAll(/seen (\{.*\})$/gm)];
  return Object.assign({}, ...lines.map(([, json]) => JSON.parse(json)));
}

/** Returns the mark of a result, and the outcome of each step. `result` is undefined if the sweep left the point out. */
export function outcomeOf(point, result) {
  if (result === undefined) return { mark: '-', seen: {} };
  const seen = seenIn(result.stderrTail);
  const mark = OF_VERDICT[result.verdict] ?? markOfSteps(point, seen);
  return { mark, seen, ...(result.why && { why: result.why }) };
}

function markOfSteps(point, { open, list, call, again }) {
  if (open !== 'well') return 'r';
  const outcomes = [list, call, again].filter((outcome) => outcome !== undefined);
  if (outcomes.every((outcome) => outcome === 'well')) return faultOf(point) === 'version' ? 'a' : '·';
  if (outcomes.some((outcome) => outcome.startsWith('answer: ') && !TELLS_OF_ERROR.test(outcome))) return 'w';
  // A command line opens a session for each call: its fault at the opening comes again.
  if (again !== undefined && again !== 'well' && !point.endsWith('@open')) return 'l';
  return outcomes.some((outcome) => outcome.startsWith('error: ')) ? 'r' : 't';
}
