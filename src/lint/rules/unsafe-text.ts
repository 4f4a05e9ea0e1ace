import { type UnsafeKind, unsafeTexts } from '../../protocol/deceptive-text.ts';
import { isObject } from '../../protocol/message.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';

const SOURCE = 'Security Best Practices; Server features, "Security Considerations"';

/**
 * Rules against texts that a model reads differently from a person: in descriptions, names, results and instructions of
 * a server.
 */
export const SAFETY_RULES: readonly LintRule[] = [
  safety(
    'safety-invisible-text',
    'invisible',
    'Text from a server to a model has no invisible characters, such as zero-width spaces and tag characters.',
  ),
  safety(
    'safety-text-direction',
    'bidi',
    'Text from a server to a model has no characters that reverse the order of others.',
  ),
  safety(
    'safety-lookalike-name',
    'lookalike',
    'The name of a tool, prompt, resource, skill or event type does not look like another one.',
  ),
  safety(
    'safety-hidden-instructions',
    'instructions',
    'Text from a server to a model does not instruct it without the knowledge of its user.',
  ),
];

/**
 * Creates a rule about one kind of unsafe text. Each message gives at most one breach, with the number of further
 * places.
 */
function safety(id: string, kind: UnsafeKind, sentence: string): LintRule {
  return {
    id,
    severity: 'warning',
    sentence,
    source: SOURCE,
    check: ({ responses, notifications, requestOf }) =>
      [...responses, ...notifications].flatMap((entry): RuleBreach[] => {
        const [name, payload] =
          'method' in entry.message ? ['params', entry.message.params] : ['result', entry.message.result];
        if (entry.from !== 'server' || !isObject(payload)) return [];
        const [first, ...more] = unsafeTexts(payload, `/${name}`).filter((text) => text.kind === kind);
        if (first === undefined || isEcho(requestOf(entry)?.message.params, kind)) return [];
        const others = more.length === 0 ? '' : `, and ${more.length} more of its texts`;
        return [{ entry, why: `${first.path} ${first.why}${others}` }];
      }),
  };
}

/** Reports whether the client's own params contain such a text, which the server may repeat. */
function isEcho(params: unknown, kind: UnsafeKind): boolean {
  return unsafeTexts(params).some((text) => text.kind === kind);
}
