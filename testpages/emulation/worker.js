postMessage(
  JSON.stringify([
    navigator.userAgent.includes('Pixel 7'),
    navigator.userAgentData?.mobile ?? null,
    navigator.language,
    (1234.5).toLocaleString(),
    new Date(0).getHours(),
  ]),
)
