import type { Field, Fields } from '../../src/kernel/validate-fields.ts';

/** What editors complete and check: what is wanted under a key, in their words. */
function schemaOf({ doc, wanted }: Pick<Field, 'doc' | 'wanted'>): object {
  if (wanted === 'text') return { description: doc, type: 'string' };
  if (wanted === 'a list') return { description: doc, type: 'array' };
  if (wanted === 'a mapping') return { description: doc, type: 'object' };
  const least = /^(?:a whole number|milliseconds)(?: from (-?\d+))?/.exec(wanted);
  if (least !== null && !wanted.includes('forever')) {
    const type = wanted.startsWith('a whole') ? 'integer' : 'number';
    return { description: doc, type, ...(least[1] && { minimum: Number(least[1]) }) };
  }
  const forever = /^milliseconds(?: from (\d+))? or forever$/.exec(wanted);
  if (forever !== null) {
    const [, from] = forever;
    return { description: doc, type: ['number', 'string'], ...(from !== undefined && { minimum: Number(from) }) };
  }
  if (/^[\w-]+( or [\w-]+)+$/.test(wanted)) return { description: doc, enum: wanted.split(' or ') };
  return { description: doc };
}

/** The JSON Schema of a mapping with these fields; `more` is added to those of its name. */
export function mappingOf(fields: Fields, more: Record<string, object> = {}): object {
  const properties = Object.entries(fields).map(([name, field]) => [name, { ...schemaOf(field), ...more[name] }]);
  const required = Object.keys(fields).filter((name) => fields[name]!.required);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The text of a schema. Lists of a few words stand on one line, as the formatter wants them. */
export function schemaText(schema: object): string {
  const json = JSON.stringify(schema, undefined, 2);
  return `${json.replaceAll(/\[\n\s+("[^"]*"(?:,\n\s+"[^"]*")*)\n\s+\]/g, (_, items: string) => {
    return `[${items.replaceAll(/,\n\s+/g, ', ')}]`;
  })}\n`;
}
