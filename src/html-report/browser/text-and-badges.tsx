import type { VNode } from 'preact';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { SEVERITIES } from '../../match/contract-change-types.ts';
import type { Item, VerifiedStep } from '../data/report-data-types.ts';
import { visible } from './format.ts';
import { HUES } from './sequence/visible-bar-layout.ts';

/** Searched words in lower case. `Text` marks them. */
export const SearchedWords = createContext<readonly string[]>([]);

/** Joins class names and skips falsy ones. */
export function classes(...names: (string | false | undefined)[]): string {
  return names.filter((name) => name).join(' ');
}

/** Text from a cassette, with invisible characters escaped and searched words marked. */
export function Text({ of }: { of: string }) {
  const words = useContext(SearchedWords);
  const text = visible(of);
  if (words.length === 0) return text;
  const parts: (string | VNode)[] = [];
  const small = text.toLowerCase();
  // Lower-casing changes the length of some texts: positions would be wrong.
  if (small.length !== text.length) return text;
  for (let at = 0; at < text.length; ) {
    const hits = words.map((word) => ({ word, start: small.indexOf(word, at) })).filter(({ start }) => start >= 0);
    const hit = hits.reduce((a, b) => (b.start < a.start ? b : a), { word: '', start: text.length });
    if (hit.start > at) parts.push(text.slice(at, hit.start));
    if (hit.word !== '') parts.push(<mark key={hit.start}>{text.slice(hit.start, hit.start + hit.word.length)}</mark>);
    at = hit.start + Math.max(1, hit.word.length);
    if (parts.length > MARKS_MAX) return [...parts, text.slice(at)];
  }
  return parts;
}

const MARKS_MAX = 1_000;

/** Returns the CSS classes for the outcome of an item. */
export function stateClasses({ from, kind, fate, failed, change }: Item): string {
  return classes(
    `from-${from} kind-${kind}`,
    (fate === 'error' || failed === true) && 'is-error',
    (fate === 'cancelled' || fate === 'pending') && `is-${fate}`,
    change && `is-${change.kind}`,
  );
}

/** Name of the server of an item on a timeline. */
export function ServerBadge({ item: { origin } }: { item: Item }) {
  if (origin === undefined) return null;
  return (
    <span class={`badge of-server hue-${origin.session % HUES}`} title={origin.server}>
      <Text of={origin.server} />
    </span>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '≠' } as const;

export function Sign({ item: { change } }: { item: Item }) {
  return change ? <span class="sign">{SIGNS[change.kind]}</span> : null;
}

/** Result of the verification for an item. */
function VerifiedBadge({ step: { status, headline } }: { step: VerifiedStep }) {
  if (status === 'passed') return <span class="badge same">✓ same</span>;
  if (status !== 'failed') return null;
  return (
    <span class="badge differs" title={headline}>
      ≠ {headline ?? 'differs'}
    </span>
  );
}

/** Badges of an item and its response: marks, and the worst severity of the changes for callers. */
export function Badges({ of }: { of: readonly (Item | undefined)[] }) {
  const severities = of.flatMap((item) => (item?.callers ?? []).map(({ severity }) => severity));
  const worst = SEVERITIES.find((severity) => severities.includes(severity));
  const marks = of.flatMap((item) => item?.marks ?? []).slice(0, 3);
  const verified = of.find((item) => item?.verified)?.verified;
  const played = of.find((item) => item?.played !== undefined)?.played;
  const isPlain = worst === undefined && marks.length === 0;
  if (isPlain && verified === undefined && played === undefined) return null;
  return (
    <span class="marks">
      {played !== undefined && (
        <span class="badge played" title={`sent ${played} times by the mock server`}>
          ⇄ {played}×
        </span>
      )}
      {verified && <VerifiedBadge step={verified} />}
      {worst && <span class={`badge ${worst}`}>{worst}</span>}
      {marks.map(({ kind, title }) => (
        <span class={`badge ${kind}`} title={title}>
          {kind === 'fault' ? '⚡' : '⚑'} {title}
        </span>
      ))}
    </span>
  );
}
