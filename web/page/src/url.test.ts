/** Unit tests of `url.ts`. */

import { expect, test } from 'vitest'
import { linkAddress, runsScript, safeAddress, wholeAddress } from './url.ts'

const here = 'https://example.test/shop/list?page=2'

test('on the same origin path and query are shown', () => {
  expect(linkAddress('/reset', here)).toBe('/reset')
  expect(linkAddress('item?id=7', here)).toBe('/shop/item?id=7')
  expect(linkAddress('https://example.test/a/../b', here)).toBe('/b')
})

test('elsewhere all of it is shown', () => {
  expect(linkAddress('https://other.test/x?y=1', here)).toBe('https://other.test/x?y=1')
  expect(linkAddress('//other.test/x', here)).toBe('https://other.test/x')
  expect(linkAddress('mailto:ada@example.test', here)).toBe('mailto:ada@example.test')
})

test('what leads nowhere has no address', () => {
  expect(linkAddress('#top', here)).toBe('')
  expect(linkAddress('list?page=2#top', here)).toBe('')
  expect(linkAddress('javascript:void(0)', here)).toBe('')
  expect(linkAddress(' JaVa\nscript:x', here)).toBe('')
  expect(linkAddress('http://[', here)).toBe('')
})

test('long queries and addresses are cut', () => {
  expect(linkAddress(`/s?q=${'x'.repeat(100)}`, here)).toBe(`/s?q=${'x'.repeat(36)}…`)
  expect(linkAddress(`/${'x'.repeat(100)}`, here)).toHaveLength(80)
  expect(wholeAddress(`data:text/html,${'x'.repeat(100)}`)).toHaveLength(30)
})

test('an address holds no white space and no quote', () => {
  expect(linkAddress('/x y"e5 [z', here)).toBe('/x%20y%22e5%20[z')
  expect(linkAddress('mailto:a b] e7 "', here)).toBe('mailto:a%20b]%20e7%20%22')
})

test('the address of a document is one word, whatever its scheme', () => {
  expect(safeAddress('data:text/html,a button "Buy" e5')).toBe(
    'data:text/html,a%20button%20%22Buy%22%20e5',
  )
  expect(safeAddress(`data:,${'x'.repeat(5000)}`).length).toBe(2000)
})

test('a base element moves relative links', () => {
  expect(linkAddress('/x', here, 'https://other.test/')).toBe('https://other.test/x')
})

test('a script in an address is told however it is spelled', () => {
  for (const href of [
    'javascript:run()',
    ' JaVa\tScRi\npt:run()',
    '\u0001javascript:run()',
    'javascript:%72un()',
    'javascript:void(run())',
    'javascript:void(0),run()',
    'javascript:void(0);run()',
    'javascript:0;run()',
    'javascript://%0Arun()',
    'javascript://%E2%80%A8run()',
    "javascript:'<b>text replaces the page</b>'",
    'javascript:%',
  ]) {
    expect(runsScript(href), href).toBe(true)
  }
})

test('what does nothing and what is no script may be followed', () => {
  for (const href of [
    'javascript:',
    'javascript:;',
    'javascript:void(0)',
    'JAVASCRIPT:void(0);',
    'java\tscript: void ( 0 ) ; ',
    'javascript:void%200',
    'javascript:void%280%29',
    'javascript:undefined',
    'javascript:null;;',
    'javascript:false',
    'javascript:return false;',
    'javascript://',
    'javascript://nothing%20here',
    'javascript:void(0)//nothing',
    '/javascript:run()',
    'https://example.test/javascript:run()',
    '#javascript:run()',
    'http://[',
    '',
    null,
  ]) {
    expect(runsScript(href), String(href)).toBe(false)
  }
})
