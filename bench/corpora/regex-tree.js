/**
 * Reads a regular expression in the syntax of Go (RE2), as lists of token kinds use it, into a tree: what a token consists of, piece by
 * piece. Look-arounds, which RE2 has none of, say nothing of what a token consists of and are left out.
 *
 * A node is one of: `{ chars, written }` (all characters that may stand there, ASCII only; and the one that is written, if it is one), `{ of, min, max }`,
 * `{ all: nodes }`, `{ any: nodes }`, `{ group: node }` (a capturing group).
 */

const range = (from, to) => {
  let all = '';
  for (let c = from.charCodeAt(0); c <= to.charCodeAt(0); c++) all += String.fromCharCode(c);
  return all;
};
const DIGITS = range('0', '9');
const LOWER = range('a', 'z');
const UPPER = range('A', 'Z');
const ASCII = range(' ', '~');
const WORD = `${DIGITS + UPPER}_${LOWER}`;
const SPACE = ' ';
const CLASSES = {
  d: DIGITS,
  w: WORD,
  s: SPACE,
  D: without(ASCII, DIGITS),
  W: without(ASCII, WORD),
  S: without(ASCII, SPACE),
};
const NAMED = {
  alnum: DIGITS + UPPER + LOWER,
  alpha: UPPER + LOWER,
  digit: DIGITS,
  lower: LOWER,
  upper: UPPER,
  word: WORD,
  xdigit: `${DIGITS}ABCDEFabcdef`,
  space: SPACE,
  punct: without(ASCII, DIGITS + UPPER + LOWER + SPACE),
};
const CONTROLS = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };

function without(all, some) {
  return [...all].filter((c) => !some.includes(c)).join('');
}

function sorted(chars) {
  return [...new Set(chars)].sort().join('');
}

/** @throws Error if the expression has a syntax that this does not know */
export function regexTree(source) {
  let at = 0;
  let isLoose = false;

  const tree = alternatives();
  if (at < source.length) throw new Error(`Cannot read ${source} from character ${at} on.`);
  return tree;

  function alternatives() {
    const outer = isLoose;
    const any = [sequence()];
    while (source[at] === '|') {
      at++;
      any.push(sequence());
    }
    isLoose = outer;
    return any.length === 1 ? any[0] : { any };
  }

  function sequence() {
    const all = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const piece = atom();
      if (piece !== undefined) all.push(repeated(piece));
    }
    return all.length === 1 ? all[0] : { all };
  }

  function repeated(of) {
    const [text, star, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})[?+]?/.exec(source.slice(at, at + 16)) ?? [];
    if (text === undefined) return of;
    at += text.length;
    const [min, max] =
      star === undefined
        ? [Number(from), comma === '' ? Number(from) : to === '' ? Infinity : Number(to)]
        : { '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[star];
    return repeated({ of, min, max });
  }

  function atom() {
    const c = source[at++];
    if (c === '(') return group();
    if (c === '[') return { chars: loosened(set()) };
    if (c === '.') return { chars: ASCII };
    if (c === '^' || c === '$') return undefined;
    if (c !== '\\') return { chars: loosened(c), written: c };
    const letter = source[at];
    if ('bBAzZ'.includes(letter)) {
      at++;
      return undefined;
    }
    const chars = escaped();
    return { chars: loosened(chars), ...(chars.length === 1 && { written: chars }) };
  }

  function group() {
    const [head, flags, , ending] =
      /^\?(?:([a-zA-Z]*)(-[a-zA-Z]+)?([:)])|P?<[A-Za-z]\w*>)/.exec(source.slice(at)) ?? [];
    if (head === undefined) {
      if (/^\?<?[=!]/.test(source.slice(at))) return look();
      return closed((node) => ({ group: node }));
    }
    at += head.length;
    if (ending === undefined) return closed((node) => ({ group: node }));
    const outer = isLoose;
    if (flags?.includes('i')) isLoose = true;
    if (head.includes('-i') || /-[a-z]*i/.test(head)) isLoose = false;
    if (ending === ')') return undefined;
    const node = closed((inner) => inner);
    isLoose = outer;
    return node;
  }

  function look() {
    at += /^\?<?[=!]/.exec(source.slice(at))[0].length;
    closed(() => undefined);
    return undefined;
  }

  function closed(make) {
    const node = alternatives();
    if (source[at++] !== ')') throw new Error(`Cannot read ${source}: a group is not closed.`);
    return make(node);
  }

  function escaped() {
    const c = source[at++];
    if (CLASSES[c] !== undefined) return CLASSES[c];
    if (CONTROLS[c] !== undefined) return CONTROLS[c];
    if (c !== 'x') return c;
    const [text, braced, plain] = /^(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(source.slice(at));
    at += text.length;
    return String.fromCharCode(Number.parseInt(braced ?? plain, 16));
  }

  /** One character of a set, or those of a class in it. */
  function member() {
    const c = source[at++];
    return c === '\\' ? escaped() : c;
  }

  function set() {
    const isNegated = source[at] === '^';
    if (isNegated) at++;
    let chars = '';
    for (let isFirst = true; isFirst || source[at] !== ']'; isFirst = false) {
      if (at >= source.length) throw new Error(`Cannot read ${source}: a class is not closed.`);
      const [named, name] = /^\[:(\w+):\]/.exec(source.slice(at, at + 12)) ?? [];
      if (named !== undefined) {
        at += named.length;
        chars += NAMED[name];
        continue;
      }
      const from = member();
      const isRange = from.length === 1 && source[at] === '-' && source[at + 1] !== ']';
      if (!isRange) {
        chars += from;
        continue;
      }
      at++;
      const to = member();
      chars += range(from, to);
    }
    at++;
    return sorted(isNegated ? without(ASCII, chars) : chars);
  }

  function loosened(chars) {
    return isLoose ? sorted(chars.toLowerCase() + chars.toUpperCase()) : chars;
  }
}

/** A text that the expression of `tree` matches. `chance` gives whole numbers below its argument. */
export function sampleOf(tree, chance) {
  if (tree.chars !== undefined) return tree.chars[chance(tree.chars.length)];
  if (tree.group !== undefined) return sampleOf(tree.group, chance);
  if (tree.any !== undefined) return sampleOf(tree.any[chance(tree.any.length)], chance);
  if (tree.all !== undefined) return tree.all.map((node) => sampleOf(node, chance)).join('');
  const max = Number.isFinite(tree.max) ? Math.min(tree.max, tree.min + 40) : tree.min + 8;
  const times = tree.min + chance(max - tree.min + 1);
  return Array.from({ length: times }, () => sampleOf(tree.of, chance)).join('');
}

/** The capturing groups, in the order in which they open. */
export function groupsOf(tree) {
  const inner = [tree.group, tree.of, ...(tree.all ?? []), ...(tree.any ?? [])].filter((node) => node !== undefined);
  return [...(tree.group === undefined ? [] : [tree]), ...inner.flatMap(groupsOf)];
}
