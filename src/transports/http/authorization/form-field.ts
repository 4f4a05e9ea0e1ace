/** The value of a field of a form or a query; undefined where it has none of that name. */
export function formField(form: string, name: string): string | undefined {
  return new URLSearchParams(form).get(name) ?? undefined;
}

/** The same form or query with other values for the fields of that name; what does not change stays as it is written. */
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
