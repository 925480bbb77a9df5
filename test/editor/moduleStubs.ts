// JavaScript stubs for native and telemetry modules that the VS Code server imports but HexLens does not need.

export interface ModuleStub {
  readonly name: string;
  /** CommonJS source of its index.js. */
  readonly source: string;
}

export const moduleStubs: readonly ModuleStub[] = [
  {
    // Writes real log files, so that log channels and the extension host's log work.
    name: '@vscode/spdlog',
    source: `
const fs = require('node:fs');
const path = require('node:path');
const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a'));
  }
  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').slice(0, 23);
    const line = this.raw ? message : time + ' [' + names[level] + '] ' + message + '\\n';
    try { fs.appendFileSync(this.file, line); } catch {}
  }
  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  clearFormatters() { this.raw = true; }
  setPattern() {}
  flush() {}
  drop() {}
}
const create = async (_name, file) => new Logger(file);
exports.version = '0';
exports.setLevel = exports.setFlushOn = exports.shutdown = () => {};
exports.createRotatingLogger = exports.createAsyncRotatingLogger = create;
`,
  },
  // Its name today and in the oldest supported VS Code.
  ...['@vscode/native-watchdog', 'native-watchdog'].map(name => ({
    name,
    source: `
exports.start = pid => {
  setInterval(() => {
    try { process.kill(pid, 0); } catch { process.exit(87); }
  }, 1000).unref();
};
`,
  })),
  {
    name: '@vscode/deviceid',
    source: `exports.getDeviceId = async () => '00000000-0000-0000-0000-000000000000';\n`,
  },
  {
    name: '@vscode/fs-copyfile',
    source: `
const fs = require('node:fs');
exports.copyFile = fs.promises.copyFile;
exports.copyFileSync = fs.copyFileSync;
exports.isCloneSupported = async () => false;
`,
  },
  {
    name: '@vscode/ripgrep-universal',
    source: `exports.rgPath = require('@vscode/ripgrep').rgPath;\n`,
  },
  {
    name: '@microsoft/1ds-core-js',
    source: `exports.AppInsightsCore = class { initialize() {} track() {} flush() {} unload() {} };\n`,
  },
  {
    name: '@microsoft/1ds-post-js',
    source: `exports.PostChannel = class {};\nexports.default = {};\n`,
  },
];
