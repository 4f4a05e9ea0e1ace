/** Reads TOML as far as gitleaks uses it: `[[rules]]`, `[[rules.allowlists]]`, `[[allowlists]]`, and keys with strings, numbers and lists. */
export function tomlTables(text) {
  const global = {};
  const rules = [];
  let table = global;
  const line = /^[ \t]*(?:\[\[?([\w.]+)\]\]?|(\w+)[ \t]*=[ \t]*)/gm;
  for (let found = line.exec(text); found !== null; found = line.exec(text)) {
    const [, head, key] = found;
    if (head !== undefined) {
      table = {};
      if (head === 'rules') rules.push(table);
      else if (/^rules\.allowlists?$/.test(head)) rules.at(-1).allowlists = [...(rules.at(-1).allowlists ?? []), table];
      else if (/^allowlists?$/.test(head)) global.allowlists = [...(global.allowlists ?? []), table];
    } else {
      const { value, end } = tomlValue(text, line.lastIndex);
      table[key] = value;
      line.lastIndex = end;
    }
  }
  return { global, rules };
}

const STRING = /'''([\s\S]*?)'''|"""([\s\S]*?)"""|'([^'\n]*)'|"((?:[^"\\\n]|\\.)*)"/y;

function tomlValue(text, at) {
  if (text[at] === '[') return tomlList(text, at + 1);
  STRING.lastIndex = at;
  const [all, ...forms] = STRING.exec(text) ?? [];
  if (all !== undefined) {
    const value = forms[3] === undefined ? forms.find((form) => form !== undefined) : JSON.parse(`"${forms[3]}"`);
    return { value, end: at + all.length };
  }
  const [word] = /^[^\s#]+/.exec(text.slice(at, at + 64)) ?? [''];
  return { value: word, end: at + word.length };
}

function tomlList(text, at) {
  const value = [];
  for (;;) {
    at += /^(?:\s|,|#[^\n]*)*/.exec(text.slice(at, at + 4_096))[0].length;
    if (text[at] === ']' || at >= text.length) return { value, end: at + 1 };
    const item = tomlValue(text, at);
    value.push(item.value);
    at = Math.max(item.end, at + 1);
  }
}
