import type { ComponentChild } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Item, View } from '../../data/report-data-types.ts';
import { count, duration, fateText, seconds } from '../format.ts';
import type { PageState } from '../page-state.ts';
import { ServerBadge, Sign, Text } from '../text-and-badges.tsx';
import { AnswerForm, type ShownAnswer } from './answer-editor-context.ts';
import { cassetteYaml, curlCommand, forkCommand, sdkCall, vitestTest } from './copy-as.ts';
import { CopyButton } from './copy-button.tsx';
import { JsonView } from './json-view.tsx';
import { CallersCard, ChangeCard, MarkCard, VerifiedCard } from './mark-and-change-cards.tsx';
import { ResultView } from './result-view.tsx';
import { SchemaView } from './schema-with-violations.tsx';

/** Details pane: the selected event and the call that it belongs to. */
export function Details({ state, actionsOn }: { state: PageState; actionsOn?: (item: Item) => ComponentChild }) {
  const pane = useRef<HTMLElement>(null);
  const { items } = state.current.value;
  const index = state.selected.value;
  const item = items[index ?? -1];
  useLayoutEffect(() => {
    pane.current?.scrollTo(0, 0);
    pane.current?.scrollIntoView({ block: 'nearest' });
  }, [item]);
  if (item === undefined) return null;
  const callIndex = item.kind === 'request' ? index! : item.request;
  const tabs = tabsOf(item, items, callIndex, state);
  const tab = tabs.find(({ name }) => name === state.tab.value) ?? tabs.find(({ isUsual }) => isUsual) ?? tabs[0]!;
  const ofCall = items[callIndex ?? -1];
  // A row in the list of calls stands for the request and its response.
  const others = state.mode.value === 'calls' && ofCall ? [item, items[ofCall.answer ?? -1]] : [item];
  const all = [...new Set(others)].filter((one) => one !== undefined);
  return (
    <aside aria-label="Details" tabIndex={-1} ref={pane}>
      <header>
        <h2>
          <Text of={item.what} />
        </h2>
        <button type="button" class="close" aria-label="Close the details" onClick={() => state.select(undefined)}>
          ×
        </button>
      </header>
      <p class="direction">
        {item.kind} · {item.from === 'client' ? 'client → server' : 'server → client'} <ServerBadge item={item} />
      </p>
      <Facts item={item} isGrowing={state.isGrowing.value} />
      <p class="ways">
        <Way name="Answer" index={item.answer} state={state} />
        <Way name="Request" index={item.request} state={state} />
        <Way name="Cancel" index={item.cancel} state={state} />
        <Way name="Came up in" index={item.within} state={state} />
        <OwnSession item={item} state={state} />
      </p>
      <Copies state={state} call={ofCall} />
      {actionsOn?.(item)}
      {all.flatMap(({ marks = [] }) => marks.map((mark) => <MarkCard mark={mark} />))}
      {all.map(({ verified }) => verified && <VerifiedCard step={verified} />)}
      {all.map(({ callers }) => callers && <CallersCard callers={callers} />)}
      {all.map(({ change }) => change && <ChangeCard change={change} />)}
      <div role="tablist" aria-label="Parts of the call" onKeyDown={(event) => turn(event, tabs, tab, state)}>
        {tabs.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab.name}
            aria-controls="tab-panel"
            tabIndex={name === tab.name ? 0 : -1}
            onClick={() => (state.tab.value = name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab.name}`}>
        {tab.content()}
      </div>
    </aside>
  );
}

interface Tab {
  name: string;
  /** Whether this tab is open by default. */
  isUsual?: boolean;
  content(): ComponentChild;
}

function turn(event: KeyboardEvent, tabs: readonly Tab[], { name }: Tab, state: PageState): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const place = tabs.findIndex((tab) => tab.name === name) + by;
  const other = tabs.at(place % tabs.length)!.name;
  state.tab.value = other;
  document.getElementById(`tab-${other}`)?.focus();
}

function tabsOf(item: Item, items: readonly Item[], callIndex: number | undefined, state: PageState): Tab[] {
  const call = items[callIndex ?? -1];
  const own: Tab = { name: 'Message', content: () => <Message item={item} /> };
  if (call === undefined) return [own, yamlTab([item])];
  const answer = items[call.answer ?? -1];
  const all = items.filter(
    (one, index) => index === callIndex || one.request === callIndex || one.within === callIndex,
  );
  const isCalls = state.mode.value === 'calls';
  // Comparison: the answer of the first session, if the second has none of its kind.
  const former =
    call.change?.kind === 'changed' &&
    all.find(
      ({ request, kind, change }) => request === callIndex && kind.endsWith('response') && change?.kind === 'removed',
    );
  return [
    {
      name: 'Result',
      isUsual: item === answer || (isCalls && answer !== undefined),
      content: () => (
        <>
          <Edit answer={answer} index={call.answer} language="JSON" />
          <Result call={call} answer={answer} isGrowing={state.isGrowing.value} />
          {former && <Message item={former} />}
        </>
      ),
    },
    { name: 'Request', isUsual: item === call, content: () => <Message item={call} /> },
    {
      name: 'Messages',
      isUsual: item !== call && item !== answer,
      content: () => (
        <>
          {item !== call && item !== answer && <Message item={item} />}
          <Messages all={all} call={call} state={state} />
        </>
      ),
    },
    ...(call.method === 'tools/call'
      ? [{ name: 'Schema', content: () => <OwnSchema call={call} view={state.current.value} /> }]
      : []),
    yamlTab(all, <Edit answer={answer} index={call.answer} language="YAML" />),
  ];
}

/** Schema of the tool that the server of the call offers: on a timeline, another server may have a tool of this name. */
function OwnSchema({ call, view }: { call: Item; view: View }) {
  const own = ownSession(call, view);
  return own.call && <SchemaView call={own.call} items={own.view.items} />;
}

function yamlTab(items: readonly Item[], edit?: ComponentChild): Tab {
  return {
    name: 'YAML',
    content: () => (
      <>
        {edit}
        <JsonView title="Cassette" content={{ text: cassetteYaml(items), language: 'text' }} />
      </>
    ),
  };
}

interface EditProps {
  answer: Item | undefined;
  index: number | undefined;
  language: ShownAnswer['language'];
}

function Edit({ answer, index, language }: EditProps) {
  const Form = useContext(AnswerForm);
  if (Form === undefined || answer === undefined || index === undefined) return null;
  return <Form answer={answer} index={index} language={language} />;
}

function Result({ call, answer, isGrowing }: { call: Item; answer: Item | undefined; isGrowing: boolean }) {
  if (answer === undefined) return <p class="note">{fateText(call, isGrowing)}</p>;
  return (
    <>
      {answer.content && <ResultView content={answer.content} />}
      <Message item={answer} />
    </>
  );
}

function Message({ item: { content, change, carried } }: { item: Item }) {
  const after = change?.before ? 'After' : 'Message';
  const title = { removed: 'Before', changed: after, added: 'Message' }[change?.kind ?? 'added'];
  return (
    <>
      {content && <JsonView title={content.language === 'json' ? title : 'Text'} content={content} />}
      {change?.before && <JsonView title="Before" content={change.before} />}
      {carried !== undefined && <JsonView title="HTTP" content={{ text: carried, language: 'json' }} />}
    </>
  );
}

/** Events of a call in order, each linked to its details. Times count from the call of the same session. */
function Messages({ all, call, state }: { all: readonly Item[]; call: Item; state: PageState }) {
  const { items } = state.current.value;
  return (
    <ol class="messages">
      {all.slice(0, MESSAGES_MAX).map((item) => (
        <li key={item.id}>
          <button type="button" onClick={() => state.select(items.indexOf(item))}>
            <Sign item={item} />
            {isFormer(item) === isFormer(call) && <span class="time">+{duration(item.at - call.at)}</span>}{' '}
            {item.from === 'client' ? '→' : '←'}{' '}
            <b>
              <Text of={item.what} />
            </b>{' '}
            <Text of={item.detail ?? ''} />
          </button>
        </li>
      ))}
      {all.length > MESSAGES_MAX && <li>{count(all.length - MESSAGES_MAX)} more in the sequence.</li>}
    </ol>
  );
}

const MESSAGES_MAX = 200;
/** Reports whether only the first of two sessions has an item. */
const isFormer = ({ change }: Item) => change?.kind === 'removed';

function Facts({ item, isGrowing }: { item: Item; isGrowing: boolean }) {
  const { line, at, bytes, rpcId, stream, took, fate } = item;
  const facts: [string, string | undefined][] = [
    ['line', String(line)],
    ['at', `${seconds(at)} s`],
    ['outcome', fateText(item, isGrowing) || undefined],
    ['took', fate === undefined && took !== undefined ? duration(took) : undefined],
    ['id', rpcId],
    ['stream', stream === undefined ? undefined : String(stream)],
    ['size', bytes === undefined ? undefined : `${count(bytes)} bytes`],
  ];
  return (
    <dl>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Way({ name, index, state }: { name: string; index: number | undefined; state: PageState }) {
  if (index === undefined) return null;
  return (
    <button type="button" onClick={() => state.select(index)}>
      {name}, line {state.current.value.items[index]!.line}
    </button>
  );
}

/** On a timeline: button that shows the event in its own session. */
function OwnSession({ item: { origin }, state }: { item: Item; state: PageState }) {
  const session = state.current.value.sessions?.[origin?.session ?? -1];
  if (session === undefined || origin === undefined) return null;
  const open = () => {
    state.openView(state.views.indexOf(session.view));
    state.select(origin.position);
  };
  return (
    <button type="button" onClick={open}>
      Only <Text of={session.label} />
    </button>
  );
}

/** Returns the session of a call, and the call as that session has it: on a timeline, both differ from what is shown. */
function ownSession(call: Item | undefined, view: View): { call: Item | undefined; view: View } {
  const own = view.sessions?.[call?.origin?.session ?? -1]?.view;
  return own === undefined ? { call, view } : { call: own.items[call!.origin!.position], view: own };
}

/** Buttons that copy a link to the event, or the call as SDK code, curl command or test, or the command that goes on after it. */
function Copies({ state, call: shown }: { state: PageState; call: Item | undefined }) {
  const { call, view } = ownSession(shown, state.current.value);
  const { items, url, revision, kind } = view;
  const isClients = call?.from === 'client' && kind === 'session';
  const forms: [name: string, text: string | undefined][] = isClients
    ? [
        ['Copy SDK call', sdkCall(call)],
        ['Copy curl', url === undefined ? undefined : curlCommand(call, url, revision)],
        ['Copy test', vitestTest(call, items[call.answer ?? -1], url)],
        ['Copy fork', forkCommand(call, view)],
      ]
    : [];
  return (
    <p class="ways">
      <CopyButton name="Copy link" text={() => location.href} />
      {forms.map(([name, text]) => text !== undefined && <CopyButton key={name} name={name} text={() => text} />)}
    </p>
  );
}
