/*
 * Jest runs tests in a context with globals of its own. Values of the test, and those of Node's modules, may then come
 * from another realm than this package, where `instanceof` fails. These checks hold in every realm, as `isError` of `errors.ts` does.
 */

export function isRegExp(value: unknown): value is RegExp {
  return kindOf(value) === 'RegExp';
}

/** Reports whether a value is a `Uint8Array`, such as a `Buffer`. */
export function isBytes(value: unknown): value is Uint8Array {
  return kindOf(value) === 'Uint8Array';
}

/** Reports whether a value is a promise, or another object that can be awaited. */
export function isAwaitable<Value>(value: Value): value is Extract<Value, PromiseLike<unknown>> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
