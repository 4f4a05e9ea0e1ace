/**
 * Reports whether a URI may be an expansion of a URI template (RFC 6570). Each expression stands for any text, so that
 * more URIs are accepted than a template has.
 */
export function isExpansionOf(template: string, uri: string): boolean {
  const [first = '', ...rest] = template.split(/\{[^{}]*\}/);
  const last = rest.pop();
  if (last === undefined) return uri === first;
  if (!uri.startsWith(first) || !uri.endsWith(last)) return false;
  let at = first.length;
  for (const literal of rest) {
    const found = uri.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return at <= uri.length - last.length;
}
