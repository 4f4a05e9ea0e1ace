import { messageTitle } from '../../contract/message-title.ts';
import { isRequest, paramsOf } from '../../protocol/message.ts';
import { returnedValues } from '../../replay/tokens/returned-values.ts';
import type { EventLinks } from '../event-dependencies.ts';
import type { CutSelection } from './select-cut-events.ts';

export interface CutEvents {
  selection: CutSelection;
  drop: boolean;
  links: EventLinks;
  /** Positions of the kept events. */
  kept: ReadonlySet<number>;
}

/**
 * Returns a warning for each removed call that returned an id which a kept call sends. A server that generates ids does
 * not know the recorded id.
 */
export function missingIdSources({ selection, drop, links: { entries, links }, kept }: CutEvents): string[] {
  const lost = new Map<number, { id: string; senders: Set<number> }>();
  for (const { recorded, returned, sent } of returnedValues(entries, links)) {
    if (kept.has(entries[returned.entry]!.event) || !kept.has(entries[sent.entry]!.event)) continue;
    const source = links.requestOf.get(returned.entry)!;
    const { senders } = lost.get(source) ?? { senders: new Set() };
    lost.set(source, { id: lost.get(source)?.id ?? recorded, senders: senders.add(sent.entry) });
  }
  const named = (entry: number) => `${messageTitle(entries[entry]!.message)} (line ${entries[entry]!.line})`;
  return [...lost].map(([source, { id, senders }]) => {
    const [first, ...others] = senders;
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    const next = drop ? 'Remove less' : `Keep it as well${optionsFor(selection, entries[source]!)}`;
    return `${named(first!)}${more} sends "${id}", which ${named(source)} returned, and that call is cut away. A server that makes up its ids will not know it. ${next}, if the file is for verify.`;
  });
}

/** Returns options that extend a selection to include a request. */
function optionsFor({ lines, tools, methods }: CutSelection, { line, message }: EventLinks['entries'][number]): string {
  if (!isRequest(message)) return '';
  const { name } = paramsOf(message);
  const added = [
    ...(tools?.length && message.method === 'tools/call' && !tools.includes(`${name}`) ? [`--tool ${name}`] : []),
    ...(methods?.length && !methods.includes(message.method) ? [`--method ${message.method}`] : []),
    ...(lines?.length ? [`--lines ${line}`] : []),
  ];
  return added.length === 0 ? '' : `: add ${added.join(' ')}`;
}
