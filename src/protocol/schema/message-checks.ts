import { isObject } from '../message.ts';
import { compileDefinitions, type DefinitionCheck } from './json-schema.ts';
import { definitionsOf, type ProtocolSchemaJson, readProtocolSchema } from './protocol-schema.ts';

/** Check of a value by one definition of a revision's official JSON Schema. */
export interface DefinedCheck {
  /** The definition, such as `ListToolsResult`. */
  name: string;
  breachOf: DefinitionCheck;
}

/** Checks of the messages of one revision, by its official JSON Schema. Each definition is compiled on its first use. */
export class MessageChecks {
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
  ofMethod(method: string): DefinedCheck | undefined {
    const name = this.#methods.get(method);
    return name === undefined ? undefined : this.#named(name);
  }

  /** Returns the check for the result of a request of `method`. Undefined: the result belongs to an extension. */
  ofResult(method: string, result: Record<string, unknown>): DefinedCheck | undefined {
    const request = this.#methods.get(method);
    const { resultType } = result;
    if (request === undefined) return undefined;
    if (resultType === 'input_required') return this.#named('InputRequiredResult');
    if (resultType !== undefined && resultType !== 'complete') return undefined;
    const own = request.replace(/Request$/, 'Result');
    const names = [isObject(result.task) ? 'CreateTaskResult' : own, own, 'EmptyResult'];
    return this.#named(names.find((name) => this.#names.has(name))!);
  }

  /** Returns the check for responses with an error. */
  ofErrorResponse(): DefinedCheck | undefined {
    // The name is another one from 2025-11-25 on.
    return this.#named('JSONRPCErrorResponse') ?? this.#named('JSONRPCError');
  }

  #named(name: string): DefinedCheck | undefined {
    const breachOf = this.#check(name);
    return breachOf && { name, breachOf };
  }
}

const known = new Map<string, MessageChecks | undefined>();

/** Returns the cached checks of a revision. Undefined: the package has no schema of it, as of 2024-11-05. */
export function messageChecks(revision: string): MessageChecks | undefined {
  if (!known.has(revision)) {
    const json = readProtocolSchema(revision);
    known.set(revision, json && new MessageChecks(json));
  }
  return known.get(revision);
}

/** Returns the method of a definition. Undefined: the definition is not a request or notification. */
function methodOf(definition: unknown): string | undefined {
  const properties = isObject(definition) ? definition.properties : undefined;
  const method = isObject(properties) ? properties.method : undefined;
  return isObject(method) && typeof method.const === 'string' ? method.const : undefined;
}
