import type { Change, Severity } from '../match/contract-change-types.ts';
import { parsePointer } from '../match/ignore-rules.ts';
import { type Difference, differences } from '../match/json-difference.ts';
import { isObject } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';

/** Returns the changes of a server's introduction: the result of `initialize` or `server/discover`. */
export function serverInfoChanges(recorded: unknown, live: unknown): Change[] {
  return differences(recorded, live, '/result').map((difference) => ({
    path: difference.path,
    ...judged(difference),
  }));
}

function judged({ path, recorded, live }: Difference): Omit<Change, 'path'> {
  const [, , field, ...rest] = path.split('/');
  if (field === 'capabilities') {
    const affects = { kind: 'capabilities', capability: parsePointer(path).slice(CAPABILITY_AT) };
    const change = capability(rest.join('.'), recorded, live);
    return change.severity === 'breaking' ? { ...change, affects } : change;
  }
  if (field === 'protocolVersion') {
    const reason = `protocol revision ${shown(recorded)} → ${shown(live)}`;
    return { severity: 'breaking', reason, ...revision(recorded) };
  }
  if (field === 'supportedVersions')
    return { severity: 'breaking', reason: 'other revisions are supported', ...revision(recorded) };
  const reason = `${[field, ...rest].join('.')} changed`;
  return { severity: COSMETIC.has(field ?? '') ? 'cosmetic' : 'compatible', reason };
}

/** Number of steps before a capability: result, capabilities. */
const CAPABILITY_AT = 2;

/** Marks a change as affecting the clients that use this revision. */
function revision(recorded: unknown): Pick<Change, 'affects'> {
  return typeof recorded === 'string' ? { affects: { kind: 'protocolVersion', name: recorded } } : {};
}

const COSMETIC: ReadonlySet<string> = new Set(['serverInfo', 'instructions', '_meta']);

function capability(name: string, recorded: unknown, live: unknown): Omit<Change, 'path'> {
  const isLost = live === undefined || live === false;
  const isNew = recorded === undefined || recorded === false;
  const severity: Severity = isNew && !isLost ? 'compatible' : 'breaking';
  const became = isLost ? 'was lost' : isNew ? 'is new' : 'changed';
  return { severity, reason: `capability "${name}" ${became}` };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : String(value);
}

/**
 * Returns a note about a changed server version. A new version is expected and not a failure. An error response has no
 * version.
 */
export function versionNote(recorded: unknown, live: unknown): string | undefined {
  const [before, after] = [versionOf(recorded), versionOf(live)];
  const isRefused = !isObject(live) || !isObject(live.result);
  if (before === after || before === undefined || isRefused) return undefined;
  return `The server says that its version is ${shown(after)}; recorded was ${before}.`;
}

function versionOf(message: unknown): string | undefined {
  const result = isObject(message) ? message.result : undefined;
  if (!isObject(result)) return undefined;
  const info = result.serverInfo ?? metaOf(result)[META.serverInfo];
  return isObject(info) && typeof info.version === 'string' ? info.version : undefined;
}
