// Node-RED as it comes, on this machine alone, without its tours and statistics.
module.exports = {
  uiHost: '127.0.0.1',
  flowFile: 'flows.json',
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { autoInstall: false, palette: { allowInstall: false }, modules: { allowInstall: false } },
  editorTheme: { tours: false, palette: { catalogues: [] }, codeEditor: { lib: 'monaco' } },
  logging: { console: { level: 'info', metrics: false, audit: false } },
};
