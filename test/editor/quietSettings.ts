// User settings that keep VS Code from showing and downloading anything by itself.

/** For manual use and tests: no popups and no requests. */
export const unattendedSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'update.showReleaseNotes': false,
  // Otherwise the server detects the test chain's port and prompts to forward it.
  'remote.autoForwardPorts': false,
  'remote.restoreForwardedPorts': false,

  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'npm.fetchOnlinePackageInfo': false,
  'json.schemaDownload.enable': false,
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,

  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'chat.agent.enabled': false,
  'chat.setupFromDialog': false,
};

/** For tests: also the same layout every time. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  ...unattendedSettings,
  'git.enabled': false,
  'files.hotExit': 'off',
  'files.simpleDialog.enable': true,
  'window.commandCenter': false,
  'window.menuBarVisibility': 'hidden',
  'workbench.layoutControl.enabled': false,
  'workbench.experimental.share.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.list.smoothScrolling': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'terminal.integrated.enablePersistentSessions': false,
  'editor.hover.delay': 100,
  'editor.cursorBlinking': 'solid',
  'editor.accessibilitySupport': 'off',
  'editor.minimap.enabled': false,
  // A literal that is wrapped would be hard to point at.
  '[markdown]': { 'editor.wordWrap': 'off' },
};
