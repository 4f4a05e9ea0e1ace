/** The part of Trusted Types that this page uses. Some browsers have none. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
/** The only policy that the page allows. Its one caller gives the address of the page's own script. */
const policy = trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url });

/** Starts a worker with this script. It has the content security policy of the page, so that it can send nothing. */
export function startWorker(code: string): Worker {
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  try {
    return new Worker(policy?.createScriptURL(url) ?? url);
  } finally {
    URL.revokeObjectURL(url);
  }
}
