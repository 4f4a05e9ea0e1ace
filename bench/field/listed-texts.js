/** Members of results that a model reads: in lists, in the schemas of tools, and `instructions`. */
const READ = new Set(['name', 'title', 'description', 'instructions']);

/** Returns each text of a result that a model reads, with its JSON Pointer. */
export function listedTexts(result) {
  return textsIn(result, '/result');
}

function textsIn(value, path) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => {
    const at = `${path}/${member}`;
    return READ.has(member) && typeof inner === 'string' ? [{ path: at, text: inner }] : textsIn(inner, at);
  });
}
