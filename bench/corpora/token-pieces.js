/**
 * What a token consists of, as an expression tells: facts, piece by piece. A piece is a literal text, or `{ chars, min, max }`: so many
 * of these characters.
 */
import { groupsOf, regexTree } from './regex-tree.js';

/** So many ways to write one token are told apart. */
const WAYS_MAX = 64;

/** So many copies of a piece that is not one character are written out. */
const COPIES_MAX = 8;

/** Of so many characters a prefix consists, or another fixed part, that gives a token away. */
const FIXED_MIN = 3;

/** Each way to write the secret of an expression, its first group or all of it; each a list of pieces. */
export function waysToWrite(regex) {
  const tree = regexTree(regex);
  const [group] = groupsOf(tree);
  return waysOf(group?.group ?? tree).map(joined);
}

function waysOf(node) {
  if (node.chars !== undefined) return [[{ ...node, min: 1, max: 1 }]];
  if (node.group !== undefined) return waysOf(node.group);
  if (node.any !== undefined) return node.any.flatMap(waysOf).slice(0, WAYS_MAX);
  if (node.all !== undefined) return node.all.reduce((ways, next) => product(ways, waysOf(next)), [[]]);
  const { of, min, max } = node;
  if (of.chars !== undefined && !(min === 0 && max === 1)) return [[{ ...of, min, max }]];
  const inner = waysOf(of);
  const counts = min === 0 && max === 1 ? [0, 1] : [Math.min(min, COPIES_MAX)];
  return counts.flatMap((count) => Array.from({ length: count }).reduce((ways) => product(ways, inner), [[]]));
}

function product(left, right) {
  return left.flatMap((before) => right.map((after) => [...before, ...after])).slice(0, WAYS_MAX);
}

/** Neighbours that are fixed are one text; neighbours of the same characters are one piece. */
function joined(pieces) {
  const result = [];
  for (const piece of pieces) {
    if (piece.max === 0) continue;
    const letter = fixedLetter(piece);
    const last = result.at(-1);
    if (letter !== undefined && typeof last === 'string') result[result.length - 1] = last + letter.repeat(piece.min);
    else if (letter !== undefined) result.push(letter.repeat(piece.min));
    else if (typeof last === 'object' && last.chars === piece.chars)
      result[result.length - 1] = { chars: last.chars, min: last.min + piece.min, max: last.max + piece.max };
    else result.push(piece);
  }
  return result;
}

/** The only character that may stand there, case apart; as it is written. */
function fixedLetter({ chars, written, min, max }) {
  if (min !== max) return undefined;
  if (written !== undefined) return written;
  return chars.length === 1 ? chars : undefined;
}

/** Letters that tokens are made of. Others end a word, or are those of an expression for any text. */
const LETTERS = /^[\w+/=.~%-]*$/;
/** What is written in it as a whole: an address, a key in PEM. */
const LONGER = /:\/\/|\s|-----|\.(?:com|io|net|org|app|uk|lk)\b/;
/** So much, in bits, can nobody guess. */
const CHANCE_MIN = 56;

/** Whether the form alone gives the token away: something fixed stands at a known place, and the rest is left to chance. */
export function isTelling(pieces) {
  const fixed = pieces.findIndex((piece) => typeof piece === 'string' && piece.length >= FIXED_MIN);
  if (fixed < 0) return false;
  return (
    pieces.slice(0, fixed).every((piece) => typeof piece === 'string' || piece.min === piece.max) &&
    pieces.every((piece) => (typeof piece === 'string' ? !LONGER.test(piece) : LETTERS.test(piece.chars))) &&
    pieces.reduce((bits, piece) => bits + chanceOf(piece), 0) >= CHANCE_MIN
  );
}

function chanceOf(piece) {
  return typeof piece === 'string' ? 0 : piece.min * Math.log2(piece.chars.length);
}

/** A token of these pieces. `chance` gives whole numbers below its argument. */
export function tokenOf(pieces, chance) {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      const length =
        piece.min + (Number.isFinite(piece.max) ? chance(Math.min(piece.max - piece.min, 40) + 1) : chance(8));
      return Array.from({ length }, () => piece.chars[chance(piece.chars.length)]).join('');
    })
    .join('');
}
