onmessage = async (event) => {
  const answer = await fetch('/echo').then((answer) => answer.ok, () => false)
  event.ports[0].postMessage(answer)
}
