import type { Cassette } from '../../cassette/cassette.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject, isRequest, isResponse, paramsOf, resultOf } from '../../protocol/message.ts';
import type { Handler } from '../handler.ts';
import { type AuthorizationSettings, type AuthorizationSource, OPTION } from './authorization-options.ts';

/** Tools that a mock server offers its clients. */
export interface OfferedTools {
  handlers: readonly Handler[];
  cassettes: readonly Cassette[];
}

/**
 * Refuses a rule that no request could ever meet: it is for a tool that neither handlers nor cassette have. Where these
 * name no tools at all, any may come later.
 * @throws McpRecordError MOCK_AUTH_BAD
 */
export function checkStepUpTools(
  { stepUp }: AuthorizationSettings,
  { handlers, cassettes }: OfferedTools,
  { name: source, placeOf }: AuthorizationSource = OPTION,
): void {
  const calls = handlers.filter(({ method }) => method === 'tools/call');
  const recorded = cassettes.flatMap((cassette) => [...toolsOf(cassette)]);
  const names = [...new Set([...calls.flatMap(({ name }) => name ?? []), ...recorded])];
  if (names.length === 0 || calls.some(({ name }) => name === undefined)) return;
  const index = stepUp.findIndex(({ tool }) => tool !== undefined && !names.includes(tool));
  const { tool } = stepUp[index] ?? {};
  if (tool === undefined) return;
  const meant = didYouMean(tool, names);
  const place = placeOf?.(['stepUp', index, 'tool']);
  throw new McpRecordError({
    code: 'MOCK_AUTH_BAD',
    what: `Cannot use ${source}: stepUp[${index}]`,
    ...(place && { place }),
    why: `neither handlers nor cassette have a tool "${tool}"`,
    next: meant === undefined ? `There is ${names.map((one) => `"${one}"`).join(', ')}.` : `Did you mean "${meant}"?`,
  });
}

/** Names of the tools that a cassette lists, or calls. */
function* toolsOf({ events }: Cassette): Generator<string> {
  for (const { frame } of events) {
    if (frame.kind !== 'message') continue;
    const { value } = frame.json;
    if (isRequest(value) && value.method === 'tools/call') yield String(paramsOf(value).name);
    const { tools } = isResponse(value) ? resultOf(value) : {};
    if (Array.isArray(tools)) yield* tools.filter(isObject).map(({ name }) => String(name));
  }
}
