/**
 * Lists that re-render as frameworks do: `data-how` of the script tag says how.
 *
 * `keyed` moves the same nodes into a new order, `unkeyed` makes every node anew from
 * its state; both 20 times, 50 ms apart, then `log` has 'still'. `forever` is unkeyed
 * in every frame and never stops. Each row is a button that logs its own name.
 */
const log = []
{
  const how = document.currentScript.dataset.how
  const list = document.createElement('ul')
  document.body.append(list)
  const names = ['Item 1', 'Item 2', 'Item 3', 'Item 4', 'Item 5']
  const row = (name) => {
    const item = document.createElement('li')
    const button = Object.assign(document.createElement('button'), { textContent: name })
    button.addEventListener('click', (event) => event.isTrusted && log.push(`click ${name}`))
    item.append(button)
    return item
  }
  const rows = names.map(row)
  let renders = 0
  const render = () => {
    renders++
    list.replaceChildren(...(how === 'keyed' ? (rows.push(rows.shift()), rows) : names.map(row)))
  }
  list.append(...rows)
  if (how === 'forever') {
    const frame = () => { render(); requestAnimationFrame(frame) }
    requestAnimationFrame(frame)
  } else {
    const timer = setInterval(() => {
      render()
      if (renders === 20) { clearInterval(timer); log.push('still') }
    }, 50)
  }
}
