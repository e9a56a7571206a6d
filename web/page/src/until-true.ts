/**
 * The entry of `until-true.js`, a function for the page's own world: looks until what an agent waits
 * for is true, each time `rouse` says that it is worth it.
 *
 * It leaves nothing behind, and needs of what a page may have replaced only `addEventListener`.
 */

/** The function's own: what it is called on, its argument, and what it returns. */
declare const script: () => unknown
declare const signal: string
declare const outcome: { promise: Promise<Watched> }

outcome.promise = untilTrue(script, signal)

/** What the last look came to, once it is over. */
type Watched =
  | { is: 'true' }
  | { is: 'false'; value: unknown }
  | { is: 'threw'; said: string }
  | { is: 'pending' }
  /** The page forbids to evaluate text, and only so can it be said what this comes to. */
  | { is: 'barred' }

async function untilTrue(look: () => unknown, name: string): Promise<Watched> {
  // A promise of the language itself, whatever `Promise` is on this page.
  // biome-ignore lint/suspicious/noThenProperty: as it says.
  return await { then: (resolve: (watched: Watched) => void) => watch(look, name, resolve) }
}

function watch(look: () => unknown, name: string, resolve: (watched: Watched) => void): void {
  let last: Watched = { is: 'pending' }
  let looking = false
  let again = false

  const end = (watched: Watched) => {
    removeEventListener(name, hear)
    resolve(watched)
  }
  const hear = (event: Event) => {
    if ((event as CustomEvent).detail === 'over') end(last)
    else void see()
  }
  const see = async () => {
    again = looking
    if (looking) return
    looking = true
    do {
      again = false
      last = await once(look)
      if (last.is === 'true' || last.is === 'barred') return end(last)
    } while (again)
    looking = false
  }

  addEventListener(name, hear)
  void see()
}

async function once(look: () => unknown): Promise<Watched> {
  try {
    const value = await look()
    return value ? { is: 'true' } : { is: 'false', value }
  } catch (error) {
    const said = words(error)
    return said.startsWith('EvalError') ? { is: 'barred' } : { is: 'threw', said }
  }
}

function words(error: unknown): string {
  try {
    return `${error}`
  } catch {
    return 'something without words'
  }
}
