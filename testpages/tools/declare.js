/** Declares a tool that takes anything, and says what came of that. */
const declare = (name, execute, more = {}) =>
  document.modelContext.registerTool({ name, description: name, execute, ...more }, more.until)
