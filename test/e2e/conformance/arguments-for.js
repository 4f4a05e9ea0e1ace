const samples = { number: 5, integer: 5, string: 'text', boolean: true, array: [], object: {} };

/** A call of `tool` with something for each of its parameters; where that is a schema, with that of another tool. */
export function argumentsFor({ name, inputSchema }, tools) {
  const given = Object.entries(inputSchema.properties ?? {}).map(([parameter, { type }]) => [
    parameter,
    parameter === 'schema' ? tools.find((tool) => tool.name !== name)?.inputSchema : samples[type],
  ]);
  return { name, arguments: Object.fromEntries(given) };
}
