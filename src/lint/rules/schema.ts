import { isDeeplyNested } from '../../match/nesting-depth.ts';
import { compileDefinitions, type DefinitionCheck } from '../../protocol/json-schema.ts';
import { isObject, isRequest, type Notification, type Request, type Response } from '../../protocol/message.ts';
import { definitionsOf, type ProtocolSchemaJson, readProtocolSchema } from '../../protocol/schema/protocol-schema.ts';
import type { LintRule, RuleBreach } from '../lint-rule.ts';
import type { LintMessage, LintSession } from '../session-for-rules.ts';

/**
 * Rule: each message is valid in the official JSON Schema of its revision. Schemas and validator are loaded on the
 * first check. Revision 2024-11-05 and the methods of extensions have no schema.
 */
export const SCHEMA_RULE: LintRule = {
  id: 'schema',
  severity: 'warning',
  sentence: 'Every message is valid in the JSON Schema of its revision.',
  source: 'schema.json of 2025-03-26 to 2026-07-28',
  check(session) {
    const schema = session.revision === undefined ? undefined : schemaOf(session.revision);
    if (schema === undefined) return [];
    return [...session.requests, ...session.notifications, ...session.responses].flatMap((entry): RuleBreach[] => {
      const why = isDeeplyNested(entry.message) ? undefined : trouble(entry, session, schema);
      return why === undefined ? [] : [{ entry, why }];
    });
  },
};

/** Schema of one revision. */
class ProtocolSchema {
  readonly #check: (name: string) => DefinitionCheck | undefined;
  readonly #names: ReadonlySet<string>;
  /** Method → the definition of its request or notification. */
  readonly #methods: ReadonlyMap<string, string>;

  constructor(schema: ProtocolSchemaJson) {
    const definitions = Object.entries(definitionsOf(schema));
    this.#check = compileDefinitions(schema);
    this.#names = new Set(definitions.map(([name]) => name));
    this.#methods = new Map(
      definitions.flatMap(([name, definition]) => {
        const method = methodOf(definition);
        return method === undefined ? [] : [[method, name] as const];
      }),
    );
  }

  /** Returns the check for requests or notifications of `method`. Undefined: the revision does not define it. */
  ofMethod(method: string): DefinitionCheck | undefined {
    const name = this.#methods.get(method);
    return name === undefined ? undefined : this.#check(name);
  }

  /** Returns the check for the result of a request of `method`. Undefined: the result belongs to an extension. */
  ofResult(method: string, result: Record<string, unknown>): DefinitionCheck | undefined {
    const request = this.#methods.get(method);
    const { resultType } = result;
    if (request === undefined) return undefined;
    if (resultType === 'input_required') return this.#check('InputRequiredResult');
    if (resultType !== undefined && resultType !== 'complete') return undefined;
    const own = request.replace(/Request$/, 'Result');
    const names = [isObject(result.task) ? 'CreateTaskResult' : own, own, 'EmptyResult'];
    return this.#check(names.find((name) => this.#names.has(name))!);
  }
}

const schemas = new Map<string, ProtocolSchema | undefined>();

/** Returns the cached schema of a revision. Undefined: there is none. */
function schemaOf(revision: string): ProtocolSchema | undefined {
  if (!schemas.has(revision)) {
    const json = readProtocolSchema(revision);
    schemas.set(revision, json && new ProtocolSchema(json));
  }
  return schemas.get(revision);
}

/** Returns the method of a definition. Undefined: the definition is not a request or notification. */
function methodOf(definition: unknown): string | undefined {
  const properties = isObject(definition) ? definition.properties : undefined;
  const method = isObject(properties) ? properties.method : undefined;
  return isObject(method) && typeof method.const === 'string' ? method.const : undefined;
}

/** Returns the schema violation of a message, as a clause. */
function trouble(
  entry: LintMessage<Request | Notification | Response>,
  session: LintSession,
  schema: ProtocolSchema,
): string | undefined {
  const { message } = entry;
  if ('method' in message) return clause(schema.ofMethod(message.method), { jsonrpc: '2.0', ...message }, '');
  const asked = session.requestOf(entry)?.message;
  if (!isRequest(asked) || !isObject(message.result)) return undefined;
  return clause(schema.ofResult(asked.method, message.result), message.result, '/result');
}

function clause(check: DefinitionCheck | undefined, message: unknown, at: string): string | undefined {
  const breach = check?.(message);
  if (breach === undefined) return undefined;
  const { path, value, why } = breach;
  // A placeholder may replace a value of another type.
  const isRedacted = typeof value === 'string' && value.includes('[redacted:');
  return isRedacted ? undefined : `${at + path || 'the message'} ${why}`;
}
