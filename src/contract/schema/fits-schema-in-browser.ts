/** Stands for `fitsSchema` of `fits-schema.ts` in a browser, where nothing is validated: no value is known to fit. */
export function fitsSchema(): boolean {
  return false;
}
