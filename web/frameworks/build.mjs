/**
 * Bundles each file of `src/` and prints all of them as one JSON object, name to code.
 *
 * The test server asks for it once and serves them from memory (`/frameworks/react.js`): real
 * frameworks, so that what holds for their controlled fields is known and not believed.
 */

import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
const sources = readdirSync(join(here, 'src')).filter((name) => name.endsWith('.js'))

const result = await build({
  absWorkingDir: here,
  entryPoints: sources.map((name) => `src/${name}`),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome114',
  outdir: 'unused',
  write: false,
  legalComments: 'none',
  logLevel: 'error',
  define: {
    'process.env.NODE_ENV': '"production"',
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
})
const bundles = result.outputFiles.map(({ path, text }) => [basename(path), text])
process.stdout.write(JSON.stringify(Object.fromEntries(bundles)))
