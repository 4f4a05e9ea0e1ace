import { useEffect } from 'preact/hooks';
import type { SessionRow } from '../../data/live-page-protocol.ts';
import { count, size } from '../format.ts';
import { Text } from '../text-and-badges.tsx';
import { STATE_NAMES } from './cassette-state-labels.ts';
import { addressOf, type LiveState } from './live-state.ts';

/** List of sessions, latest first. Opens the first cassette that appears in an empty folder. */
export function SessionTable({ state }: { state: LiveState }) {
  const hello = state.hello.value;
  const rows = [...state.rows.value.values()].sort(latestFirst);
  const first = rows[0]?.name;
  useEffect(() => {
    if (hello === undefined || first === undefined) return;
    if (!hello.isFolder) state.open([first], 'replace');
    else if (hello.isEmpty) state.open([first]);
  }, [hello, first]);
  if (hello === undefined) return <main class="sessions" />;
  return (
    <main class="sessions">
      <h1>
        Sessions in <Text of={hello.path} />
      </h1>
      <p role="status">{countsOf(rows)}</p>
      {rows.length > 1 && <TimelineButton state={state} rows={rows} />}
      {rows.length === 0 ? <Empty path={hello.path} /> : <Table state={state} rows={rows} />}
    </main>
  );
}

/** Opens the timeline of the chosen sessions. */
function TimelineButton({ state, rows }: { state: LiveState; rows: readonly SessionRow[] }) {
  const chosen = rows.map(({ name }) => name).filter((name) => state.chosen.value.has(name));
  return (
    <p class="ways">
      <button type="button" disabled={chosen.length < 2} onClick={() => state.open(chosen)}>
        Show on one timeline
      </button>{' '}
      <span>
        {chosen.length < 2
          ? 'Choose two or more sessions of one client.'
          : `${count(chosen.length)} sessions are chosen.`}
      </span>
    </p>
  );
}

function Empty({ path }: { path: string }) {
  return (
    <>
      <p>There is no cassette in this folder yet. The first one that comes is shown here by itself. To record one:</p>
      <pre tabIndex={0}>mcp-record record -o {/\s/.test(path) ? `'${path}/'` : `${path}/`} -- COMMAND</pre>
    </>
  );
}

function Table({ state, rows }: { state: LiveState; rows: readonly SessionRow[] }) {
  return (
    <table>
      <thead>
        <tr>
          {rows.length > 1 && (
            <th scope="col">
              <span class="sentence">timeline</span>
            </th>
          )}
          <th scope="col">cassette</th>
          <th scope="col">state</th>
          <th scope="col">client</th>
          <th scope="col">server</th>
          <th scope="col">events</th>
          <th scope="col">size</th>
          <th scope="col">written</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.name} state={state} row={row} isChoice={rows.length > 1} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ state, row, isChoice }: { state: LiveState; row: SessionRow; isChoice: boolean }) {
  const { name, state: how, client, server, events, bytes, changed, problem, recorded } = row;
  return (
    <tr>
      {isChoice && (
        <td>
          <input
            type="checkbox"
            aria-label={`Choose ${name} for a timeline`}
            checked={state.chosen.value.has(name)}
            disabled={recorded === undefined}
            title={recorded === undefined ? 'Its header does not say when it began.' : undefined}
            onChange={({ currentTarget }) => state.choose(name, currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row">
        <a
          href={addressOf([name])}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            state.open([name]);
          }}
        >
          <Text of={name} />
        </a>
        {problem && <p class="note">{problem.message}</p>}
      </th>
      <td class={`state is-${how}`}>{STATE_NAMES[how]}</td>
      <td>{client !== undefined && <Text of={client} />}</td>
      <td>{server !== undefined && <Text of={server} />}</td>
      <td class="amount">
        {count(events)}
        <span class="unit"> events</span>
      </td>
      <td class="amount">{size(bytes)}</td>
      <td>{changed}</td>
    </tr>
  );
}

function countsOf(rows: readonly SessionRow[]): string {
  const growing = rows.filter(({ state }) => state === 'growing').length;
  const all = `${count(rows.length)} ${rows.length === 1 ? 'cassette' : 'cassettes'}`;
  return growing === 0 ? all : `${all}, ${count(growing)} growing`;
}

/** Sorts by start of the recording, so that a growing session keeps its row, then by name. */
function latestFirst(one: SessionRow, other: SessionRow): number {
  const [a, b] = [one.recorded ?? '', other.recorded ?? ''];
  if (a !== b) return a < b ? 1 : -1;
  return one.name.localeCompare(other.name, 'en', { numeric: true });
}
