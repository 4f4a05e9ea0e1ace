/** Returns the value of a form or query field. Undefined: it is absent. */
export function formField(form: string, name: string): string | undefined {
  return new URLSearchParams(form).get(name) ?? undefined;
}

/** Replaces the values of the fields with the given name. Other fields keep their spelling. */
export function mapFormField(form: string, name: string, change: (value: string) => string): string {
  return form
    .split('&')
    .map((field) => {
      const value = formField(field, name);
      const changed = value === undefined ? undefined : change(value);
      return value === changed ? field : new URLSearchParams({ [name]: changed! }).toString();
    })
    .join('&');
}
