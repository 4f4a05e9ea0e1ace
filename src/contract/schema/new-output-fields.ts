import { canonicalJson } from '../../match/canonical-json.ts';
import type { Change } from '../../match/contract-change-types.ts';
import { escapeStep, type Pointer, parsePointer } from '../../match/ignore-rules.ts';
import { differences } from '../../match/json-difference.ts';
import { isObject, isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { schemaChanges } from './compare-schemas.ts';
import { fitsSchema } from './fits-schema.ts';

/** An answer as received, and its form for comparison (`compared`). */
export interface ToolAnswer {
  compared: unknown;
  received: unknown;
  /** Answer to the latest `tools/list` before the call. */
  tools: unknown;
}

/**
 * Returns the changes of an answer to `tools/call` whose structured content only gained fields, each of which is a new
 * property in the tool's `outputSchema`. Texts that repeat the structured content as JSON may gain the same fields.
 * Empty if anything else differs.
 */
export function newOutputFields(request: unknown, recorded: ToolAnswer, live: ToolAnswer): Change[] {
  if (!isRequest(request) || request.method !== 'tools/call') return [];
  const [before, after] = [recorded, live].map(({ tools }) => outputSchema(tools, paramsOf(request).name));
  const [was, is] = [recorded, live].map(({ received }) => resultOf(received).structuredContent);
  if (before === undefined || after === undefined || !isObject(was) || !fitsSchema(is, after)) return [];
  const promised = schemaChanges({ recorded: before, live: after, direction: 'output', path: '' });
  const isNewField = (path: readonly (string | number)[]) => {
    const place = newProperty({ before, after }, was, path);
    const change = promised.find((one) => one.path === place);
    return place !== undefined && change?.severity === 'compatible';
  };
  const changes: Change[] = [];
  const inTexts: Change[] = [];
  for (const difference of differences(recorded.compared, live.compared)) {
    const path = stepsOf(difference.path, live.compared);
    const [, member, ...rest] = path;
    const isContent = path[0] === 'result' && member === 'structuredContent' && difference.recorded === undefined;
    if (isContent && isNewField(rest)) {
      const reason = `new field "${rest.join('.')}" of the structured content, which the outputSchema has now`;
      changes.push({ severity: 'compatible', path: difference.path, reason });
    } else if (isTextOf(path, [recorded, live], [was, is]) && hasOnly(difference, isNewField)) {
      const reason = 'the same in its JSON text';
      inTexts.push({ severity: 'compatible', path: difference.path, reason });
    } else return [];
  }
  return changes.length === 0 ? [] : [...changes, ...inTexts];
}

function outputSchema(tools: unknown, name: unknown): Record<string, unknown> | undefined {
  const { tools: list } = resultOf(tools);
  const found = Array.isArray(list) ? list.filter((tool) => isObject(tool) && tool.name === name) : [];
  const schema: unknown = found.length === 1 ? found[0].outputSchema : undefined;
  return isObject(schema) ? schema : undefined;
}

/** Returns the steps of a pointer, with list indexes as numbers. */
function stepsOf(pointer: Pointer, root: unknown): (string | number)[] {
  let value = root;
  return parsePointer(pointer).map((step) => {
    const next = Array.isArray(value) ? Number(step) : step;
    value = valueAt(value, [next]);
    return next;
  });
}

interface SchemaPlace {
  schema: unknown;
  path: Pointer;
}

/**
 * Returns the pointer to a new property in the new schema. Undefined if the old schema also has the property, or if the
 * schemas do not define the place.
 */
function newProperty(
  { before, after }: { before: unknown; after: unknown },
  content: unknown,
  path: readonly (string | number)[],
): Pointer | undefined {
  let [old, now]: SchemaPlace[] = [
    { schema: before, path: '' },
    { schema: after, path: '' },
  ];
  for (const [index, step] of path.entries()) {
    [old, now] = [resolved(old!, before), resolved(now!, after)];
    if (typeof step === 'number') {
      [old, now] = [memberOf(old, ['items']), memberOf(now, ['items'])];
      continue;
    }
    const next = memberOf(now, ['properties', step]);
    if (next.schema === undefined) return undefined;
    const known = memberOf(old, ['properties', step]);
    if (index === path.length - 1) {
      const isInObject = isObject(valueAt(content, path.slice(0, -1)));
      return isInObject && known.schema === undefined && isOpen(old.schema) ? next.path : undefined;
    }
    [old, now] = [known, next];
  }
  return undefined;
}

/** Reports whether an object schema restricts its other properties only by a boolean `additionalProperties`. */
function isOpen(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { additionalProperties } = schema;
  const isPlain = additionalProperties === undefined || typeof additionalProperties === 'boolean';
  return (isPlain || canonicalJson(additionalProperties) === '{}') && !LIMITS.some((name) => name in schema);
}

const LIMITS = ['patternProperties', 'unevaluatedProperties', 'propertyNames', 'maxProperties'];

const REFERENCES_MAX = 16;

function resolved(place: SchemaPlace, root: unknown): SchemaPlace {
  let here = place;
  for (let n = 0; n < REFERENCES_MAX; n++) {
    const reference = isObject(here.schema) ? here.schema.$ref : undefined;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return here;
    const path = reference.slice(1);
    here = { schema: valueAt(root, parsePointer(path)), path };
  }
  return here;
}

function memberOf({ schema, path }: SchemaPlace, steps: readonly string[]): SchemaPlace {
  return { schema: valueAt(schema, steps), path: `${path}${steps.map((step) => `/${escapeStep(step)}`).join('')}` };
}

/** Reports whether a path leads to a text that repeats the structured content as JSON, in both answers. */
function isTextOf(
  path: readonly (string | number)[],
  answers: readonly ToolAnswer[],
  contents: readonly unknown[],
): boolean {
  const [result, content, index, text, ...rest] = path;
  if (result !== 'result' || content !== 'content' || typeof index !== 'number' || text !== 'text' || rest.length > 0)
    return false;
  return answers.every(({ received }, n) => {
    const parsed = parsedJson(valueAt(received, path));
    return parsed !== undefined && canonicalJson(parsed) === canonicalJson(contents[n]);
  });
}

/** Reports whether two JSON texts differ in new fields only. */
function hasOnly(
  { recorded, live }: { recorded?: unknown; live?: unknown },
  isNewField: (path: readonly (string | number)[]) => boolean,
): boolean {
  const [before, after] = [parsedJson(recorded), parsedJson(live)];
  if (before === undefined || after === undefined) return false;
  const found = differences(before, after);
  return found.length > 0 && found.every((one) => one.recorded === undefined && isNewField(stepsOf(one.path, after)));
}

function parsedJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
