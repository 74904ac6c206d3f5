// Stands in for @vscode/native-watchdog: the extension host ends when the server is gone.
exports.start = (parent) =>
  setInterval(() => {
    try {
      process.kill(parent, 0);
    } catch {
      process.exit(87);
    }
  }, 2000).unref();
exports.exit = (code) => process.exit(code || 0);
