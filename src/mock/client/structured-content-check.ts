import { isDeeplyNested } from '../../match/nesting-depth.ts';
import { compileJsonSchema, type SchemaCheck } from '../../protocol/json-schema.ts';
import { isObject, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { isUsual } from '../../protocol/results/client-result-problem.ts';

/**
 * Check of structured content by the output schemas that the server has listed (2025-06-18, "Output Schema"): "Servers
 * MUST provide structured results that conform to this schema." Schemas are compiled when a tool is called.
 */
export class StructuredContentCheck {
  readonly #schemas = new Map<unknown, Params>();
  readonly #checks = new WeakMap<Params, SchemaCheck>();

  /** Takes the output schemas of a page of `tools/list`. */
  listed({ tools }: Params): void {
    if (!Array.isArray(tools)) return;
    for (const { name, outputSchema } of tools.filter(isObject)) {
      if (isObject(outputSchema)) this.#schemas.set(name, outputSchema);
      else this.#schemas.delete(name);
    }
  }

  /**
   * Returns the problem of a result, as a clause. Undefined if the result is valid, or if the tool has no listed
   * schema.
   */
  problemOf(request: Request, result: Params): string | undefined {
    const schema = request.method === 'tools/call' ? this.#schemas.get(paramsOf(request).name) : undefined;
    // An error needs no structured content, and other kinds of results have none yet.
    if (schema === undefined || result.isError === true || !isUsual(result)) return undefined;
    const { structuredContent } = result;
    if (structuredContent === undefined)
      return '/result has no structuredContent, which the listed outputSchema requires';
    if (isDeeplyNested(structuredContent)) return undefined;
    const [first] = this.#checkOf(schema)(structuredContent);
    return first && `/result/structuredContent does not fit the listed outputSchema: ${first}`;
  }

  #checkOf(schema: Params): SchemaCheck {
    const check = this.#checks.get(schema) ?? compiled(schema);
    this.#checks.set(schema, check);
    return check;
  }
}

/** Compiles a schema. A schema that cannot be compiled accepts every value. */
function compiled(schema: Params): SchemaCheck {
  try {
    return compileJsonSchema(schema);
  } catch {
    return () => [];
  }
}
