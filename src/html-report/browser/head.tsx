import type { ComponentChildren } from 'preact';
import type { Item, View } from '../data/report-data-types.ts';
import type { Mode } from './address.ts';
import { countOfRows } from './calls/filter-call-rows.ts';
import { count, duration } from './format.ts';
import type { PageState } from './page-state.ts';
import { FIELD_NAMES, isQuestion, QUESTION, TROUBLES, type Trouble, troublesOf, withTerm } from './search-query.ts';

const TROUBLE_NAMES: Readonly<Record<Trouble, string>> = {
  error: '✗ failed',
  cancelled: '⊘ cancelled',
  pending: '… pending',
  fault: '⚡ faults',
  lint: '⚑ lint',
  breaking: '‼ breaking answers',
  changed: '≠ differences',
};

const MODE_NAMES: readonly [Mode, string][] = [
  ['calls', 'Calls'],
  ['sequence', 'Sequence'],
  ['tools', 'Tools'],
];

const SUGGESTIONS_MAX = 100;

/** Head of the page: the session, its two sides, what went wrong, and the ways to look at it. */
export function Head({ state }: { state: PageState }) {
  const view = state.current.value;
  const { problem } = state.query.value;
  return (
    <header class="head">
      {state.views.length > 1 && <Views state={state} />}
      <div class="title">
        <h1>{view.title}</h1>
        <p>{view.facts.join(' · ')}</p>
      </div>
      <Peers view={view} />
      {view.warnings.map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
      <div class="tools">
        <input
          type="search"
          placeholder="Search: echo  -log  tool:add  took:>100"
          aria-label={`Search events by words, or by ${FIELD_NAMES.join(':, ')}:`}
          aria-invalid={problem !== undefined}
          list="suggestions"
          autocomplete="off"
          spellcheck={false}
          value={state.search.value}
          onInput={({ currentTarget }) => (state.search.value = currentTarget.value)}
        />
        <Suggestions view={view} />
        <div class="buttons">
          <Troubles state={state} />
          <Questions state={state} />
          <Modes state={state} />
          <button type="button" aria-label="Keys and searches" onClick={() => (state.isHelpOpen.value = true)}>
            ?
          </button>
        </div>
      </div>
      <p
        class={problem === undefined ? 'status' : 'status is-error'}
        role="status"
        // Screen readers would announce each change of the counter while the session grows.
        aria-live={state.isGrowing.value ? 'off' : undefined}
      >
        {problem ?? statusOf(state)}
      </p>
    </header>
  );
}

/** Describes the number of shown calls or events, and the duration of the session. */
function statusOf({ current, rows, mode }: PageState): string {
  const { items, kind, lasted } = current.value;
  if (kind === 'differences' && mode.value === 'calls') return countOfRows(items, rows.value);
  const isCall = ({ kind: one }: Item) => one === 'request';
  const [all, noun] = mode.value === 'calls' ? [items.filter(isCall).length, 'call'] : [items.length, 'event'];
  const whole = `${count(all)} ${noun}${all === 1 ? '' : 's'}`;
  const shown = rows.value.length;
  const some =
    mode.value === 'tools' || shown === all || kind === 'differences' ? whole : `${count(shown)} of ${whole}`;
  return kind === 'session' ? `${some} in ${duration(lasted)}` : `${count(shown)} of ${whole}`;
}

function Views({ state }: { state: PageState }) {
  // With several comparisons, each title names its two sessions.
  const isOnly = state.views.filter(({ kind }) => kind === 'differences').length === 1;
  return (
    <nav aria-label="Views">
      {state.views.map(({ title, kind, sessions }, index) => (
        <button
          key={index}
          type="button"
          aria-current={index === state.view.value ? 'page' : undefined}
          onClick={() => state.openView(index)}
        >
          {sessions ? 'Timeline' : kind === 'differences' && isOnly ? 'Differences' : title}
        </button>
      ))}
    </nav>
  );
}

function Peers({ view: { client, server, capabilities, revision, sessions } }: { view: View }) {
  const side = (name: string, who: string | undefined, can: readonly string[]) =>
    (who !== undefined || can.length > 0) && (
      <div>
        <dt>{name}</dt>
        <dd>
          <b>{who ?? 'no name'}</b> {can.length > 0 && `can ${can.join(', ')}`}
        </dd>
      </div>
    );
  return (
    <dl class="peers">
      {side('Client', client, capabilities.client)}
      {side('Server', server, capabilities.server)}
      {sessions?.map(({ label, view }) => side('Server', view.server ?? label, view.capabilities.server))}
      {revision !== undefined && (
        <div>
          <dt>MCP</dt>
          <dd>{revision}</dd>
        </div>
      )}
    </dl>
  );
}

/** A button for each kind of problem. */
function Troubles({ state }: { state: PageState }) {
  const { items, differences } = state.current.value;
  const counts = new Map<Trouble, number>();
  for (const item of items) {
    // A failed call counts once: its response is not counted.
    const found = troublesOf(item).filter((one) => one !== 'error' || item.request === undefined);
    for (const trouble of found) counts.set(trouble, (counts.get(trouble) ?? 0) + 1);
  }
  if (counts.has('changed') && differences !== undefined) counts.set('changed', differences);
  const there = TROUBLES.filter((trouble) => counts.has(trouble));
  if (there.length === 0) return <span class="fine">✓ nothing failed</span>;
  return there.map((trouble) => (
    <Chip key={trouble} state={state} value={trouble}>
      {TROUBLE_NAMES[trouble]} {counts.get(trouble)}
    </Chip>
  ));
}

/** A button for the requests of the server. */
function Questions({ state }: { state: PageState }) {
  const { length } = state.current.value.items.filter(isQuestion);
  if (length === 0) return null;
  return (
    <Chip state={state} value={QUESTION}>
      server asks {count(length)}
    </Chip>
  );
}

/** A button that adds a term `is:` to the search, or removes it. */
function Chip({ state, value, children }: { state: PageState; value: string; children: ComponentChildren }) {
  return (
    <button
      type="button"
      class={`chip is-${value}`}
      aria-pressed={state.search.value.split(/\s+/).includes(`is:${value}`)}
      onClick={() => (state.search.value = withTerm(state.search.value, `is:${value}`))}
    >
      {children}
    </button>
  );
}

function Modes({ state }: { state: PageState }) {
  const { mode, folded, isRealTime, span, current } = state;
  const isSession = current.value.kind === 'session';
  const choice = (name: string, isOn: boolean, task: () => void) => (
    <button key={name} type="button" aria-pressed={isOn} onClick={task}>
      {name}
    </button>
  );
  const fold = (isFolded: boolean) => {
    folded.value = isFolded;
    state.turned.value = new Set();
  };
  return (
    <>
      {mode.value === 'sequence' && (
        <span class="switch" role="group" aria-label="Calls">
          {choice('Unfolded', !folded.value, () => fold(false))}
          {choice('Folded', folded.value, () => fold(true))}
        </span>
      )}
      {/* Two sessions have no common clock, so a comparison has no real-time spacing. */}
      {mode.value === 'sequence' && isSession && (
        <span class="switch" role="group" aria-label="Spacing">
          {choice('Even', !isRealTime.value, () => (isRealTime.value = false))}
          {choice('Real time', isRealTime.value, () => (isRealTime.value = true))}
        </span>
      )}
      {mode.value === 'calls' && span.value && (
        <button type="button" onClick={() => (span.value = undefined)}>
          Whole session
        </button>
      )}
      <span class="switch modes" role="group" aria-label="View">
        {MODE_NAMES.filter(([one]) => isSession || one !== 'tools').map(([one, name]) =>
          choice(name, mode.value === one, () => state.openMode(one)),
        )}
      </span>
    </>
  );
}

function Suggestions({ view: { items } }: { view: View }) {
  const methods = new Set<string>();
  const tools = new Set<string>();
  for (const { method, name } of items) {
    if (method) methods.add(method);
    if (name !== undefined && method === 'tools/call') tools.add(name);
    if (methods.size + tools.size > SUGGESTIONS_MAX) break;
  }
  const fields = [
    ...[...methods].map((method) => `method:${method}`),
    ...[...tools].map((name) => (/\s/.test(name) ? `tool:"${name}"` : `tool:${name}`)),
  ];
  return (
    <datalist id="suggestions">
      {fields.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
