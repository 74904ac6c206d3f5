// Stands in for @vscode/spdlog: without it VS Code writes no log files and its output channels stay empty.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
let initialLevel = levels.indexOf('info');

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = initialLevel;
    this.hasPattern = true;
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, '');
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.hasPattern = false;
  }
  flush() {}
  drop() {
    this.level = levels.length;
  }
  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const line = this.hasPattern ? `${time} [${levels[level]}] ${message}\n` : message;
    try {
      appendFileSync(this.file, line);
    } catch {
      // The folder goes away with the server.
    }
  }
}

for (const [level, name] of levels.entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
}

const rotating = async (name, file) => new Logger('rotating', name, file);

// One by one: VS Code imports this file as an ES module, which looks for the names.
exports.version = 11202;
exports.Logger = Logger;
exports.setLevel = (level) => {
  initialLevel = level;
};
exports.setFlushOn = () => {};
exports.createRotatingLogger = rotating;
exports.createAsyncRotatingLogger = rotating;
