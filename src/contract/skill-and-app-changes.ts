import { canonicalJson } from '../match/canonical-json.ts';
import type { Change, Severity } from '../match/contract-change-types.ts';
import { escapeStep, type Pointer } from '../match/ignore-rules.ts';
import { isObject } from '../protocol/message.ts';

type Members = Record<string, unknown>;

/** Returns the changes of one skill (extension Skills): of its frontmatter and its files. */
export function skillChanges(recorded: unknown, live: unknown, path: Pointer): Change[] {
  const [before, after] = [membersOf(recorded), membersOf(live)];
  const changes = memberChanges(membersOf(before.frontmatter), membersOf(after.frontmatter), `${path}/frontmatter`).map(
    ({ name, ...change }): Change => ({ ...change, severity: DESCRIBES.has(name) ? 'cosmetic' : 'suspicious' }),
  );
  if (canonicalJson(before.uri) !== canonicalJson(after.uri))
    changes.push({
      severity: 'breaking',
      path: `${path}/uri`,
      reason: 'uri changed',
      ...affected('skills', before.uri),
    });
  return [...changes, ...fileChanges(before.resources, after.resources, `${path}/resources`)];
}

/**
 * Members of a skill's frontmatter that only describe it. Other members request something from hosts, such as tools
 * without confirmation.
 */
const DESCRIBES: ReadonlySet<string> = new Set(['name', 'description', 'license', 'compatibility', 'metadata']);

/**
 * Returns the changes of a skill's files, which are identified by URI. Each change of a file ends a host's approval of
 * it.
 */
function fileChanges(recorded: unknown, live: unknown, path: Pointer): Change[] {
  if (canonicalJson(recorded) === canonicalJson(live)) return [];
  if (!Array.isArray(recorded) || !Array.isArray(live)) {
    const severity = Array.isArray(live) ? 'compatible' : 'suspicious';
    return [
      {
        severity,
        path,
        reason: Array.isArray(live) ? 'its files now have digests' : 'its files have no digests any more',
      },
    ];
  }
  const [before, after] = [byUri(recorded), byUri(live)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((uri): Change[] => {
    const [was, is] = [before.get(uri), after.get(uri)];
    const affects = affected('resources', uri);
    if (is === undefined) return [{ severity: 'breaking', path, reason: `file "${uri}" was removed`, ...affects }];
    if (was === undefined) return [{ severity: 'compatible', path, reason: `new file "${uri}"` }];
    const isSame = was.digest === is.digest && was.size === is.size;
    if (!isSame) return [{ severity: 'suspicious', path, reason: `file "${uri}" has another content` }];
    const isListedAlike = canonicalJson(was) === canonicalJson(is);
    return isListedAlike
      ? []
      : [{ severity: 'breaking', path, reason: `file "${uri}" is described otherwise`, ...affects }];
  });
}

function affected(kind: 'skills' | 'resources', uri: unknown): Pick<Change, 'affects'> {
  return typeof uri === 'string' ? { affects: { kind, name: uri } } : {};
}

function byUri(files: readonly unknown[]): ReadonlyMap<string, Members> {
  return new Map(files.filter(isObject).map((file) => [String(file.uri), file]));
}

/**
 * Returns the changes of the `_meta` of a tool or resource. Members of the extension Apps decide whether a host shows
 * the app, and what the app may do. Other members are for people.
 */
export function metaChanges(recorded: unknown, live: unknown, path: Pointer): Change[] {
  const { ui: was, [FLAT_URI]: flatWas, ...before } = membersOf(recorded);
  const { ui: is, [FLAT_URI]: flatIs, ...after } = membersOf(live);
  const others = memberChanges(before, after, path).map(
    ({ name: _, ...change }): Change => ({ ...change, reason: `_meta.${change.reason}`, severity: 'cosmetic' }),
  );
  const flat = memberChanges({ [FLAT_URI]: flatWas }, { [FLAT_URI]: flatIs }, path).map(
    ({ name: _, isNew, ...change }): Change => ({ ...change, severity: isNew ? 'compatible' : 'breaking' }),
  );
  return [...uiChanges(membersOf(was), membersOf(is), `${path}/ui`), ...flat, ...others];
}

/** Key of the URI for hosts of earlier drafts of Apps. */
const FLAT_URI = 'ui/resourceUri';

function uiChanges(recorded: Members, live: Members, path: Pointer): Change[] {
  const { csp, permissions, visibility, ...before } = recorded;
  const { csp: cspNow, permissions: permissionsNow, visibility: visibilityNow, ...after } = live;
  const fields = memberChanges(before, after, path).map(
    ({ name, isNew, ...change }): Change => ({
      ...change,
      reason: `_meta.ui.${change.reason}`,
      severity: LOOKS.has(name) ? 'cosmetic' : isNew ? 'compatible' : 'breaking',
    }),
  );
  const sets = [
    {
      field: 'visibility',
      noun: 'visible to',
      before: namesOf(visibility ?? EVERYBODY),
      after: namesOf(visibilityNow ?? EVERYBODY),
    },
    {
      field: 'permissions',
      noun: 'permission',
      before: Object.keys(membersOf(permissions)),
      after: Object.keys(membersOf(permissionsNow)),
    },
    ...[...new Set([...Object.keys(membersOf(csp)), ...Object.keys(membersOf(cspNow))])].map((name) => ({
      field: `csp/${escapeStep(name)}`,
      noun: `csp.${name}`,
      before: namesOf(membersOf(csp)[name]),
      after: namesOf(membersOf(cspNow)[name]),
    })),
  ];
  return [
    ...fields,
    ...sets.flatMap(({ field, noun, before: had, after: has }): Change[] => {
      const change = (severity: Severity, member: string, became: string): Change => {
        return { severity, path: `${path}/${field}`, reason: `_meta.ui: ${noun} "${member}" ${became}` };
      };
      return [
        ...had.filter((one) => !has.includes(one)).map((one) => change('breaking', one, 'was removed')),
        ...has.filter((one) => !had.includes(one)).map((one) => change('suspicious', one, 'is new')),
      ];
    }),
  ];
}

/** Visibility of a tool without `visibility`. */
const EVERYBODY: readonly string[] = ['model', 'app'];
/** Members of `_meta.ui` that only affect an app's appearance. */
const LOOKS: ReadonlySet<string> = new Set(['prefersBorder']);

interface MemberChange {
  name: string;
  isNew: boolean;
  path: Pointer;
  reason: string;
}

function memberChanges(before: Members, after: Members, path: Pointer): MemberChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): MemberChange[] => {
    if (canonicalJson(before[name]) === canonicalJson(after[name])) return [];
    const isNew = before[name] === undefined;
    const became = isNew ? 'is new' : after[name] === undefined ? 'was removed' : 'changed';
    return [{ name, isNew, path: `${path}/${escapeStep(name)}`, reason: `${name} ${became}` }];
  });
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function namesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
