console.log('from the worker', { busy: true })
postMessage('spoken')
