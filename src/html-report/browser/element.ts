type Attributes = Record<string, string | number | boolean | undefined>;

/**
 * An element of the page. Text becomes text, whatever it says: what lies in a cassette is never markup. An attribute that
 * is undefined or false is left out, and one that is true has no value.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children);
  return made;
}

/** A button that does `task`. */
export function button(text: string, task: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', task);
  return made;
}
