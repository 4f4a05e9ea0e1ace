import type { Cassette } from '../cassette/cassette.ts';
import type { ShownCassette } from '../cassette/read/parse-cassette.ts';
import { jsonToYaml } from '../cassette/write/json-to-yaml.ts';
import type { Ignore } from '../match/ignore-rules.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { errorOf, isObject } from '../protocol/message.ts';
import { printable } from '../text-report/printable-text.ts';
import { cassetteSettingsText, commentsIn, headerText } from './cassette-settings-text.ts';
import {
  type Interaction,
  type SentMessage,
  type SessionInteractions,
  sessionInteractions,
} from './session-interactions.ts';

/**
 * Formats a session for line-based diff tools: each request with its answer, without times, ids and other volatile
 * values, so that only differences in meaning remain. Settings that a user writes beside an event stand below its
 * headline, after `#`. `text` is that of the cassette: its comments are added. `ignore` excludes further values.
 */
export function sessionText(cassette: ShownCassette, text = '', ignore: readonly Ignore[] = []): string {
  const { interactions, sentMessages, junk, exit } = sessionInteractions(cassette, ignore);
  const settings = (events: readonly number[]) => cassetteSettingsText(cassette, events);
  const taken = [
    ...interactions.flatMap(({ events, answerEvents }) => [...events, ...answerEvents]),
    ...sentMessages.flatMap(({ events }) => events),
  ];
  const blocks = [
    ...commentsIn(text),
    ...interactions.map((one) => ({ line: one.line, text: interactionText(one, settings) })),
    ...sentMessages.map(({ events, said, ...message }) => ({
      line: message.line,
      text: headline(message) + settings(events) + paramsText(said),
    })),
    ...rulesElsewhere(cassette, taken).map((position) => ({
      line: cassette.events[position]!.line,
      text: `another event\n${settings([position])}`,
    })),
    ...junk.map(({ line, text }) => ({ line, text: `not a message: ${printable(text)}\n` })),
  ].sort((a, b) => a.line - b.line);
  const header = headerText(cassette);
  return `${[...(header === '' ? [] : [header]), ...blocks.map(({ text }) => text)].join('\n')}${exitText(exit)}`;
}

/** Returns the positions of rules beside events that are not shown, such as a report of progress. */
function rulesElsewhere({ events }: Cassette, taken: readonly number[]): number[] {
  const shown = new Set(taken);
  return [...events.keys()].filter((position) => events[position]!.match !== undefined && !shown.has(position));
}

function exitText(exit: SessionInteractions['exit']): string {
  return exit === undefined ? '' : `\nexit: ${exit}\n`;
}

function headline({ from, title }: Pick<SentMessage, 'from' | 'title'>): string {
  return `${from === 'client' ? '→' : '←'} ${printable(title)}\n`;
}

function interactionText(interaction: Interaction, settings: (events: readonly number[]) => string): string {
  const back = interaction.from === 'client' ? '←' : '→';
  const { outcome, content } = outcomeOf(interaction);
  const asked = headline(interaction) + settings(interaction.events) + paramsText(interaction.said);
  return `${asked}${back} ${outcome}\n${settings(interaction.answerEvents)}${content}`;
}

function outcomeOf({ answer, refused, isCancelled }: Interaction): { outcome: string; content: string } {
  const cancelled = isCancelled ? ' (cancelled)' : '';
  if (refused !== undefined) return { outcome: `refused: ${printable(refused)}`, content: '' };
  if (!isObject(answer)) return { outcome: `no answer${cancelled}`, content: '' };
  return errorOf(answer) === undefined
    ? { outcome: `result${cancelled}`, content: contentText(answer.result) }
    : { outcome: 'error', content: contentText(answer.error) };
}

function paramsText(said: unknown): string {
  return contentText(isObject(said) ? said.params : undefined);
}

function contentText(value: unknown): string {
  if (!isObject(value) || Object.keys(value).length === 0) return '';
  const json = jsonOf(value);
  return `${jsonToYaml(json, 0)?.slice(1) ?? json}\n`;
}
