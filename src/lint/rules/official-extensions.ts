import { bytesOfBase64, utf8BytesOf } from '../../kernel/platform/bytes.ts';
import { sha256 } from '../../kernel/platform/sha256.ts';
import { jsonOf } from '../../protocol/json-text.ts';
import { isObject, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { capabilityOf, isDeclared, isStream, LISTEN } from '../../protocol/method-table.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintSession } from '../session-for-rules.ts';

type Members = Record<string, unknown>;

/** Rules of the official extensions Skills, Events and Apps. */
export const EXTENSION_RULES: readonly LintRule[] = [
  {
    id: 'extension-declared',
    severity: 'warning',
    sentence: 'A client uses the methods of an extension only if the server has declared it.',
    source: 'Extension Skills, "Capability Negotiation"; SEP-3415; SEP-2133',
    era: 'modern',
    check: ({ requests, capabilities: { server } }) => {
      if (server === undefined) return [];
      return requests.flatMap((entry): RuleBreach[] => {
        const path = capabilityOf(entry.message.method, { modern: true }) ?? [];
        if (entry.from !== 'client' || path[0] !== 'extensions') return [];
        return isDeclared(path, server)
          ? []
          : [{ entry, why: `the server has not declared ${path.slice(1).join('.')}` }];
      });
    },
  },
  {
    id: 'skill-entry',
    severity: 'warning',
    sentence:
      'A skill has the URI of its SKILL.md, the name of the folder, a description, and its files with digests or "dynamic".',
    source: 'Extension Skills, "Skill Entries"',
    check: (session) =>
      skillsIn(session).flatMap(({ entry, skill }): RuleBreach[] => {
        const why = skillTrouble(skill);
        return why === undefined ? [] : [{ entry, why: `skill ${jsonOf(skill.uri)}: ${why}` }];
      }),
  },
  {
    id: 'skill-digest',
    severity: 'warning',
    sentence: 'A file of a skill has the digest and the size of its entry.',
    source: 'Extension Skills, "Integrity and Verification"',
    check: (session) => {
      const promised = new Map<unknown, Members>();
      const listed = new Map<number, Members[]>();
      for (const { entry, skill } of skillsIn(session)) {
        const files = Array.isArray(skill.resources) ? skill.resources.filter(isObject) : [];
        listed.set(entry.index, [...(listed.get(entry.index) ?? []), ...files]);
      }
      return session.responses.flatMap((entry): RuleBreach[] => {
        for (const file of listed.get(entry.index) ?? []) promised.set(file.uri, file);
        const { contents } = resultOf(entry.message);
        if (session.requestOf(entry)?.message.method !== 'resources/read' || !Array.isArray(contents)) return [];
        return contents.filter(isObject).flatMap((content): RuleBreach[] => {
          const why = digestTrouble(content, promised.get(content.uri));
          return why === undefined ? [] : [{ entry, why: `${jsonOf(content.uri)} ${why}` }];
        });
      });
    },
  },
  {
    id: 'event-subscription-id',
    severity: 'warning',
    sentence: 'Every message of an event stream has the id of its request, and the first one says that it is active.',
    source: 'SEP-3415, push',
    check({ requests, notifications }) {
      const ids = new Set<unknown>(
        requests
          .filter(({ message }) => isStream(message.method) && message.method !== LISTEN)
          .map(({ message }) => message.id),
      );
      const active = new Set<unknown>();
      return notifications.flatMap((entry): RuleBreach[] => {
        const { method, params } = entry.message;
        if (!method.startsWith('notifications/events/') || method.endsWith('/list_changed')) return [];
        const id = metaOf(params)[META.subscriptionId];
        if (!ids.has(id)) return [{ entry, why: `no stream has the id ${jsonOf(id)}` }];
        if (method === 'notifications/events/active') active.add(id);
        return active.has(id) ? [] : [{ entry, why: 'the stream was not said to be active' }];
      });
    },
  },
  {
    id: 'app-resource',
    severity: 'warning',
    sentence:
      'The app of a tool has a "ui:" URI, and its csp and permissions belong to that resource, not to the tool.',
    source: 'Extension Apps, "UI Resource Format"',
    check: ({ responses, requestOf }) =>
      responses.flatMap((entry): RuleBreach[] => {
        const { tools } = resultOf(entry.message);
        if (requestOf(entry)?.message.method !== 'tools/list' || !Array.isArray(tools)) return [];
        return tools.filter(isObject).flatMap((tool): RuleBreach[] => {
          const { ui } = metaOf(tool);
          if (!isObject(ui)) return [];
          const breach = (why: string) => [{ entry, why: `tool ${jsonOf(tool.name)}: ${why}` }];
          const misplaced = ['csp', 'permissions'].find((name) => ui[name] !== undefined);
          if (misplaced !== undefined) return breach(`hosts ignore ${misplaced} at a tool`);
          const isApp = ui.resourceUri === undefined || String(ui.resourceUri).startsWith('ui:');
          return isApp ? [] : breach(`resourceUri is ${jsonOf(ui.resourceUri)}`);
        });
      }),
  },
];

function skillsIn({ responses, requestOf }: LintSession): { entry: RuleBreach['entry']; skill: Members }[] {
  return responses.flatMap((entry) => {
    const { skills, skill } = resultOf(entry.message);
    const method = requestOf(entry)?.message.method;
    const found = method === 'skills/list' ? skills : method === 'skills/get' ? [skill] : [];
    return Array.isArray(found) ? found.filter(isObject).map((one) => ({ entry, skill: one })) : [];
  });
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function skillTrouble({ uri, frontmatter, resources }: Members): string | undefined {
  const { name, description } = isObject(frontmatter) ? frontmatter : {};
  if (typeof uri !== 'string' || !uri.endsWith('/SKILL.md')) return 'its URI is not that of a SKILL.md';
  if (typeof name !== 'string' || typeof description !== 'string')
    return 'its frontmatter has no name or no description';
  if (uri.split('/').at(-2) !== name) return `its name is ${jsonOf(name)}`;
  if (resources === 'dynamic') return undefined;
  if (!Array.isArray(resources)) return '"resources" is neither a list nor "dynamic"';
  const odd = resources.find(
    (file) => !isObject(file) || !DIGEST.test(String(file.digest)) || typeof file.size !== 'number',
  );
  if (odd !== undefined) return `${jsonOf(isObject(odd) ? odd.uri : odd)} has no digest or no size`;
  return resources.some((file) => isObject(file) && file.uri === uri)
    ? undefined
    : 'its files lack the SKILL.md itself';
}

/** Mark of redacted text, whose digest differs from that of the original. */
const REDACTED = '[redacted:';

function digestTrouble({ text, blob }: Members, promised: Members | undefined): string | undefined {
  if (promised === undefined || !DIGEST.test(String(promised.digest))) return undefined;
  if (typeof text === 'string' && text.includes(REDACTED)) return undefined;
  const bytes = typeof text === 'string' ? utf8BytesOf(text) : typeof blob === 'string' && bytesOfBase64(blob);
  if (!bytes) return undefined;
  if (typeof promised.size === 'number' && promised.size !== bytes.length)
    return `has ${bytes.length} bytes, and ${promised.size} were promised`;
  const digest = `sha256:${sha256(bytes)}`;
  return digest === promised.digest ? undefined : 'has another digest than was promised';
}
