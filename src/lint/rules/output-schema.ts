import { isNotification, isObject, isRequest } from '../../protocol/message.ts';
import type { Revision } from '../../protocol/revisions.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import { contentChecks, StructuredContentCheck } from '../structured-content-check.ts';

/** First revision with structured content. */
const FIRST: Revision = '2025-06-18';

/**
 * Rule: structured content fits the output schema that its tool had in the latest list before the call. A cassette over
 * HTTP may contain several sessions, each with lists of its own. The validator is loaded for the first such result.
 */
export const OUTPUT_SCHEMA_RULE: LintRule = {
  id: 'output-schema',
  severity: 'error',
  sentence: 'The result of a tool has structured content that fits the listed outputSchema, unless it is an error.',
  source: 'Server features of 2025-06-18, "Tools", "Output Schema"',
  check({ revision, entries, requestOf, httpSessions }) {
    if (revision !== undefined && revision < FIRST) return [];
    const sessions = httpSessions();
    const checkOf = contentChecks();
    const checks = new Map<number | undefined, StructuredContentCheck>();
    return entries.flatMap((entry): RuleBreach[] => {
      const { event, from, message } = entry;
      const session = sessions[event];
      const check = checks.get(session) ?? new StructuredContentCheck(checkOf);
      checks.set(session, check);
      if (from === 'client') {
        if (isRequest(message) && message.method === 'tools/call') check.called(message);
        return [];
      }
      if (isNotification(message) && message.method === 'notifications/tools/list_changed') check.changed();
      const request = requestOf(entry)?.message;
      if (request === undefined || !isObject(message) || !isObject(message.result)) return [];
      if (request.method === 'tools/list') check.listed(request, message.result);
      const why = check.problemOf(request, message.result);
      return why === undefined ? [] : [{ entry, why }];
    });
  },
};
