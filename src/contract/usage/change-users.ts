import type { AffectedUse, Change, ContractUser } from '../../match/contract-change-types.ts';
import { METHODS_WITH_KNOWN_PARAMS } from '../../protocol/allowed-params-members.ts';
import { isObject, type Params } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { type CapabilityPath, capabilityOf, EXTENSIONS, LISTEN, METHOD_NAMES } from '../../protocol/method-table.ts';
import { isAffectedCall } from './affected-arguments.ts';
import type { RecordedUse, RecordedUses } from './recorded-uses.ts';
import { isExpansionOf } from './uri-template.ts';

/** Adds the affected cassettes to each breaking change. Other changes affect nobody. */
export function withUsers(changes: readonly Change[], cassettes: readonly RecordedUses[]): Change[] {
  return changes.map((change) =>
    change.severity === 'breaking' ? { ...change, usedBy: usersOf(change.affects, cassettes) } : change,
  );
}

function usersOf(affects: AffectedUse | undefined, cassettes: readonly RecordedUses[]): NonNullable<Change['usedBy']> {
  if (affects === undefined) return 'unknown';
  if (affects.kind === 'protocolVersion') return cassettes.flatMap((one) => revisionUser(affects, one));
  const isUse = useOf(affects);
  if (isUse === undefined) return 'unknown';
  return cassettes.flatMap((one) => userIn(one, one.uses.filter(isUse)));
}

function revisionUser({ name = '' }: AffectedUse, cassette: RecordedUses): ContractUser[] {
  return cassette.revisions.has(name) ? userIn(cassette, cassette.uses) : [];
}

function userIn({ file, client }: RecordedUses, uses: readonly RecordedUse[]): ContractUser[] {
  const [first] = uses;
  if (first === undefined) return [];
  return [{ file, line: first.line, uses: uses.length, ...(client !== undefined && { client }) }];
}

type IsUse = (use: RecordedUse) => boolean;

/** Returns a predicate for uses that a change affects. Undefined if cassettes do not show such uses. */
function useOf(affects: AffectedUse): IsUse | undefined {
  const { kind, name = '', capability } = affects;
  switch (kind) {
    case 'tools':
      return ({ method, params }) =>
        method === 'tools/call' && params.name === name && isAffectedCall(affects, params.arguments);
    case 'prompts':
      return (use) => isPromptUse(affects, use);
    case 'resources':
      return (use) => urisOf(use).includes(name);
    case 'resourceTemplates':
      return (use) => isCompletionOf('ref/resource', use, name) || urisOf(use).some((uri) => isExpansionOf(name, uri));
    case 'skills':
      return (use) => urisOf(use).some((uri) => uri === name || uri.startsWith(folderOf(name)));
    case 'events':
      return ({ method, params }) => method.startsWith('events/') && params.name === name;
    case 'capabilities':
      return capability && capabilityUse(capability);
    default:
      return undefined;
  }
}

function isPromptUse(affects: AffectedUse, use: RecordedUse): boolean {
  const { method, params } = use;
  const { name = '', when } = affects;
  if (method === 'prompts/get') return params.name === name && isAffectedCall(affects, params.arguments);
  if (when === 'omitted' || !isCompletionOf('ref/prompt', use, name)) return false;
  const { values: _, ...anyValue } = affects;
  const { argument, context } = params;
  const known = isObject(context) && isObject(context.arguments) ? context.arguments : {};
  const completed = isObject(argument) ? { [String(argument.name)]: argument.value } : {};
  return isAffectedCall(anyValue, { ...known, ...completed });
}

function isCompletionOf(type: string, { method, params }: RecordedUse, name: string): boolean {
  const { ref } = params;
  if (method !== 'completion/complete' || !isObject(ref) || ref.type !== type) return false;
  return (ref.name ?? ref.uri) === name;
}

/** Returns the URIs that a request reads or subscribes to. */
function urisOf({ method, params }: RecordedUse): string[] {
  const { notifications } = params;
  const subscribed: unknown = method === LISTEN && isObject(notifications) ? notifications.resourceSubscriptions : [];
  const uris: unknown[] = [params.uri, ...(Array.isArray(subscribed) ? subscribed : [])];
  const isRead = method.startsWith('resources/') || method.startsWith('skills/') || Array.isArray(subscribed);
  return isRead ? uris.filter((uri) => typeof uri === 'string') : [];
}

/** Returns the common URI prefix of a skill's files, which lie in the same folder. */
function folderOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1) || `${uri}/`;
}

/**
 * Returns a predicate for messages that need a lost capability. Undefined if no such message is known, or if only an
 * unnamed part of the capability was lost.
 */
function capabilityUse(lost: readonly string[]): IsUse | undefined {
  const isLost = (path: CapabilityPath | undefined) => path !== undefined && lost.every((step, n) => path[n] === step);
  const needs = (method: string) => [false, true].some((modern) => isLost(capabilityOf(method, { modern })));
  const isWhole = lost.length === 0 || (lost.length === 1 && lost[0] === 'extensions');
  if (isWhole || ![...METHOD_NAMES, ...METHODS_WITH_KNOWN_PARAMS].some(needs)) return undefined;
  return ({ method, params }) => needs(method) || neededByParams(method, params).some(isLost);
}

/** Returns the capabilities that a request's params need, in addition to the capability of its method. */
function neededByParams(method: string, params: Params): CapabilityPath[] {
  const listened = method === LISTEN && isObject(params.notifications) ? Object.keys(params.notifications) : [];
  return [
    ...listened.flatMap((name) => LISTENED.get(name) ?? []).map((path) => path.split('.')),
    ...(params.task === undefined ? [] : [['tasks'], ['extensions', EXTENSIONS.tasks]]),
    ...(metaOf(params)[META.logLevel] === undefined ? [] : [['logging']]),
  ];
}

/** Capabilities by the subscription params that need them (2026-07-28, "Subscriptions"). */
const LISTENED: ReadonlyMap<string, string> = new Map([
  ['toolsListChanged', 'tools.listChanged'],
  ['promptsListChanged', 'prompts.listChanged'],
  ['resourcesListChanged', 'resources.listChanged'],
  ['resourceSubscriptions', 'resources.subscribe'],
]);
