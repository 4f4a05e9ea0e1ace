import { useSignal } from '@preact/signals';
import { count, duration, size } from '../format.ts';
import type { PageState } from '../page-state.ts';
import { matches, type Query, wordsOf } from '../search-query.ts';
import { Text } from '../text-and-badges.tsx';
import { type ToolStats, tokens, toolStatsOf } from './tool-stats.ts';

type Column = {
  [Key in keyof ToolStats]-?: Exclude<ToolStats[Key], undefined> extends number ? Key : never;
}[keyof ToolStats];

const COLUMNS: readonly [column: Column, name: string, text: (value: number) => string][] = [
  ['calls', 'calls', count],
  ['p50', 'p50', duration],
  ['p95', 'p95', duration],
  ['slowest', 'slowest', duration],
  ['errors', 'errors', count],
  ['unanswered', 'unanswered', count],
  ['sent', 'sent', size],
  ['received', 'received', size],
];

/** Table of the tools with call counts, durations and sizes. A click on a name opens the list of its calls. */
export function ToolsView({ state }: { state: PageState }) {
  const order = useSignal<Column | undefined>(undefined);
  const column = order.value;
  const { items, sessions } = state.current.value;
  const query = state.query.value;
  const all = toolStatsOf(state.current.value);
  const isFound = items.filter((item) => item.kind === 'request' && matches(item, query));
  const found = new Set(isFound.map(({ name = '', origin }) => keyOf({ name, server: origin?.server })));
  const stats = all.filter((tool) => (tool.calls > 0 ? found.has(keyOf(tool)) : hasWords(tool.name, query)));
  if (column) stats.sort((a, b) => (b[column] ?? -1) - (a[column] ?? -1));
  if (all.length === 0) return <p class="empty">No tool was offered or called.</p>;
  const unused = all.filter(({ isOffered, calls }) => isOffered && calls === 0);
  const costs = all.reduce((sum, { definition = 0 }) => sum + definition, 0);
  return (
    <section class="tools-view" aria-label="Tools" tabIndex={0}>
      {costs > 0 && (
        <p>
          {count(all.length)} {all.length === 1 ? 'tool' : 'tools'}, {count(unused.length)} offered and never used.
          Their definitions are about {count(tokens(costs))} tokens, those never used{' '}
          {count(tokens(unused.reduce((sum, { definition = 0 }) => sum + definition, 0)))}.
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">tool</th>
            {sessions && <th scope="col">server</th>}
            {COLUMNS.map(([key, name]) => (
              <th key={key} scope="col" aria-sort={column === key ? 'descending' : undefined}>
                <button type="button" onClick={() => (order.value = column === key ? undefined : key)}>
                  {name}
                </button>
              </th>
            ))}
            <th scope="col">≈ tokens received</th>
            <th scope="col">≈ tokens of its definition</th>
          </tr>
        </thead>
        <tbody>
          {stats.map((tool) => (
            <Row key={keyOf(tool)} state={state} tool={tool} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function keyOf({ name, server = '' }: { name: string; server?: string | undefined }): string {
  return JSON.stringify([name, server]);
}

/** Returns a search term for a field, in quotes if necessary. */
function termOf(field: string, value: string): string {
  return /\s/.test(value) ? `${field}:"${value}"` : `${field}:${value}`;
}

/** Reports whether the name of a tool without calls matches a query. Fields and exclusions never match such a tool. */
function hasWords(name: string, query: Query): boolean {
  return (
    query.terms.length === wordsOf(query).length && wordsOf(query).every((word) => name.toLowerCase().includes(word))
  );
}

function Row({ state, tool }: { state: PageState; tool: ToolStats }) {
  const { name, server, isOffered, calls, errors, definition, received } = tool;
  const open = () => {
    const terms = [termOf('tool', name), ...(server === undefined ? [] : [termOf('server', server)])];
    state.search.value = terms.join(' ');
    state.mode.value = 'calls';
  };
  return (
    <tr class={calls === 0 ? 'is-unused' : ''}>
      <th scope="row">
        {calls === 0 ? (
          <Text of={name} />
        ) : (
          <button type="button" onClick={open}>
            <Text of={name} />
          </button>
        )}
        {isOffered === false && <span class="badge breaking">not offered</span>}
        {calls === 0 && <span class="note"> never used</span>}
      </th>
      {server !== undefined && (
        <td>
          <Text of={server} />
        </td>
      )}
      {COLUMNS.map(([key, , text]) => (
        <td key={key} class={key === 'errors' && errors > 0 ? 'is-error' : ''}>
          {calls === 0 || tool[key] === undefined ? '' : text(tool[key])}
        </td>
      ))}
      <td>{calls === 0 ? '' : count(tokens(received))}</td>
      <td>{definition === undefined ? '' : count(tokens(definition))}</td>
    </tr>
  );
}
