// Tells what the server is sent by a service worker.
addEventListener('install', () => skipWaiting())
onmessage = async (event) => {
  const answer = await fetch('/echo').then((answer) => answer.text())
  event.ports[0].postMessage(answer)
}
