import { diffWordsWithSpace } from 'diff';
import type { Change as CallerChange } from '../../../match/contract-change-types.ts';
import type { Change, Mark, ValueDifference, VerifiedStep } from '../../data/report-data-types.ts';
import { Text } from '../text-and-badges.tsx';

/** A lint finding or a fault. */
export function MarkCard({ mark: { kind, title, text, source } }: { mark: Mark }) {
  const name = kind === 'fault' ? 'Fault' : kind === 'lint-error' ? 'Lint, error' : 'Lint, warning';
  return (
    <section class={`card ${kind}`}>
      <h3>
        {name}: {title}
      </h3>
      <p>{text}</p>
      {source !== undefined && <p class="note">{source}</p>}
    </section>
  );
}

const HEADINGS = {
  added: 'Only the other session has this',
  removed: 'Only the first session has this',
  changed: 'Differs from the first session',
} as const;

/** Differences of an item between two sessions, word by word. */
export function ChangeCard({ change }: { change: Change }) {
  const { kind, moved, differences, beforeLine, headline } = change;
  return (
    <section class={`card change is-${kind}`}>
      <h3>
        {HEADINGS[kind]}
        {beforeLine !== undefined && `, line ${beforeLine}`}
      </h3>
      {headline !== undefined && (
        <p>
          <Text of={headline} />
        </p>
      )}
      {moved && <p>It stands elsewhere among the others.</p>}
      <Differences of={differences} />
    </section>
  );
}

const VERDICTS = {
  passed: 'The live server said the same',
  failed: 'The live server said something else',
  skipped: 'Not verified',
  error: 'Not verified',
} as const;

/** Result of the verification for an item: recorded values, followed by values of the live server. */
export function VerifiedCard({ step }: { step: VerifiedStep }) {
  const { status, headline, details = [], differences = [], callers = [] } = step;
  return (
    <section class={`card ${status === 'failed' ? 'differs' : 'same'}`}>
      <h3>{VERDICTS[status]}</h3>
      {headline !== undefined && (
        <p>
          <Text of={headline} />
        </p>
      )}
      {callers.map((one) => (
        <CallerLine change={one} />
      ))}
      {details.map((line) => (
        <p class="note">
          <Text of={line} />
        </p>
      ))}
      <Differences of={differences} />
    </section>
  );
}

function Differences({ of }: { of: readonly ValueDifference[] }) {
  return of.map(({ path, before, after }) => (
    <div class="difference">
      <code class="path">{path}</code>
      <Words before={before} after={after} />
    </div>
  ));
}

/** Old and new text below each other, with the words marked that occur in only one text. */
function Words({ before, after }: { before: string | undefined; after: string | undefined }) {
  const isBoth = before !== undefined && after !== undefined;
  const parts = isBoth ? (diffWordsWithSpace(before, after, { maxEditLength: EDITS_MAX }) ?? []) : [];
  const isTooMuch = parts.length === 0;
  return (
    <>
      {before !== undefined && (
        <del>
          {isTooMuch ? before : parts.map(({ value, added, removed }) => !added && (removed ? <b>{value}</b> : value))}
        </del>
      )}
      {after !== undefined && (
        <ins>
          {isTooMuch ? after : parts.map(({ value, added, removed }) => !removed && (added ? <b>{value}</b> : value))}
        </ins>
      )}
    </>
  );
}

/** Maximum number of word edits to mark. Texts with more have little in common. */
const EDITS_MAX = 300;

/** Changes for callers, in the words of `diff` and `verify`. */
export function CallersCard({ callers }: { callers: readonly CallerChange[] }) {
  return (
    <section class="card callers">
      <h3>What changed for callers</h3>
      {callers.map((change) => (
        <CallerLine change={change} />
      ))}
    </section>
  );
}

function CallerLine({ change: { severity, reason, path } }: { change: CallerChange }) {
  return (
    <p>
      <span class={`badge ${severity}`}>{severity}</span> <Text of={reason} /> <code class="path">{path}</code>
    </p>
  );
}
