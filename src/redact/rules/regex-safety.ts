/**
 * Why an expression may be matched in exponentially many ways, so that a text of some dozen characters could stop the
 * process; undefined: it may not. Cautious: some that are refused would do no harm, and can be written otherwise.
 */
export function catastrophicBacktracking(source: string): string | undefined {
  const groups: Group[] = [newGroup()];
  for (let at = 0; at < source.length; ) {
    const group = groups.at(-1)!;
    const token = tokenAt(source, at);
    at += token.length;
    if (token === '(' || token.startsWith('(?')) {
      groups.push(newGroup());
      continue;
    }
    if (token === '|') {
      group.branches.push('');
      continue;
    }
    let atom: Group | undefined;
    if (token === ')' && groups.length > 1) atom = groups.pop()!;
    const quantifier = QUANTIFIER.exec(source.slice(at))?.[0] ?? '';
    at += quantifier.length;
    const isRepeated = isUnbounded(quantifier);
    if (isRepeated && atom?.repeats) return 'a repetition stands in a repetition';
    if (isRepeated && atom && beginAlike(atom.branches)) return 'alternatives of a repetition may begin alike';
    const around = groups.at(-1)!;
    around.repeats ||= isRepeated || atom?.repeats === true;
    around.branches[around.branches.length - 1] += atom ? `(${atom.branches.join('|')})` : token;
  }
  return undefined;
}

/** What stands between two parentheses. */
interface Group {
  /** The source of each alternative, without repetitions. */
  branches: string[];
  /** Whether anything in it may come any number of times. */
  repeats: boolean;
}

function newGroup(): Group {
  return { branches: [''], repeats: false };
}

/** A group's opening, a class, an escaped character, or one character. */
function tokenAt(source: string, at: number): string {
  TOKEN.lastIndex = at;
  return TOKEN.exec(source)?.[0] ?? source[at]!;
}

const TOKEN =
  /\((?:\?(?:<?[=!]|:|<\w+>))?|\[(?:\\[\s\S]|[^\]\\])*\]|\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|[pP]\{[^}]*\}|[\s\S])|[\s\S]/y;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

/** A few more do no harm. */
const FEW = 10;

function isUnbounded(quantifier: string): boolean {
  const [, least = '', rest] = /^\{(\d+)(,\d*)?\}/.exec(quantifier) ?? [];
  if (least === '') return /^[*+]/.test(quantifier);
  const most = rest === undefined ? Number(least) : rest === ',' ? Number.POSITIVE_INFINITY : Number(rest.slice(1));
  return most > FEW;
}

/** Only letters, digits and such are told apart: what else an alternative may begin with could be anything. */
function beginAlike(branches: readonly string[]): boolean {
  if (branches.length < 2) return false;
  const starts = branches.map((branch) => branch[0]);
  return (
    starts.some((start) => start === undefined || !/[\w\s,;:@#%&="'<>~/-]/.test(start)) ||
    new Set(starts).size < starts.length
  );
}
