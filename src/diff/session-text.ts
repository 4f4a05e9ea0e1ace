import type { Cassette } from '../cassette/cassette.ts';
import { jsonToYaml } from '../cassette/write/json-to-yaml.ts';
import { jsonOf } from '../protocol/json-text.ts';
import { errorOf, isObject } from '../protocol/message.ts';
import { printable } from '../text-report/printable-text.ts';
import {
  type Interaction,
  type SentMessage,
  type SessionInteractions,
  sessionInteractions,
} from './session-interactions.ts';

/**
 * Formats a session for line-based diff tools: each request with its answer, without times, ids and other volatile
 * values, so that only differences in meaning remain.
 */
export function sessionText(cassette: Cassette): string {
  const { interactions, sentMessages, junk, exit } = sessionInteractions(cassette);
  const blocks = [
    ...interactions.map((interaction) => ({ line: interaction.line, text: interactionText(interaction) })),
    ...sentMessages.map((message) => ({ line: message.line, text: headline(message) + paramsText(message.said) })),
    ...junk.map(({ line, text }) => ({ line, text: `not a message: ${printable(text)}\n` })),
  ].sort((a, b) => a.line - b.line);
  return `${blocks.map(({ text }) => text).join('\n')}${exitText(exit)}`;
}

function exitText(exit: SessionInteractions['exit']): string {
  return exit === undefined ? '' : `\nexit: ${exit}\n`;
}

function headline({ from, title }: SentMessage): string {
  return `${from === 'client' ? '→' : '←'} ${printable(title)}\n`;
}

function interactionText(interaction: Interaction): string {
  const back = interaction.from === 'client' ? '←' : '→';
  return `${headline(interaction)}${paramsText(interaction.said)}${back} ${outcomeText(interaction)}`;
}

function outcomeText({ answer, refused, isCancelled }: Interaction): string {
  const cancelled = isCancelled ? ' (cancelled)' : '';
  if (refused !== undefined) return `refused: ${printable(refused)}\n`;
  if (!isObject(answer)) return `no answer${cancelled}\n`;
  const error = errorOf(answer);
  return error === undefined
    ? `result${cancelled}\n${contentText(answer.result)}`
    : `error\n${contentText(answer.error)}`;
}

function paramsText(said: unknown): string {
  return contentText(isObject(said) ? said.params : undefined);
}

function contentText(value: unknown): string {
  if (!isObject(value) || Object.keys(value).length === 0) return '';
  const json = jsonOf(value);
  return `${jsonToYaml(json, 0)?.slice(1) ?? json}\n`;
}
