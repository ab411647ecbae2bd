'use strict';
const vscode = require('vscode');

const STEPS = {
  over: 'workbench.action.debug.stepOver',
  into: 'workbench.action.debug.stepInto',
  out: 'workbench.action.debug.stepOut',
  continue: 'workbench.action.debug.continue',
  pause: 'workbench.action.debug.pause',
};

/** What the tests may call; each takes one object of parameters. */
function methods(log) {
  const sessions = new Map();
  vscode.debug.onDidStartDebugSession((session) => sessions.set(session.id, session));
  vscode.debug.onDidTerminateDebugSession((session) => sessions.delete(session.id));

  return {
    /** Starts debugging as `launch.json` would; returns the id of the session, once it is there. */
    startDebugging: async ({ configuration, noDebug }) => {
      const name = configuration.name ?? 'test';
      const started = new Promise((resolve) => {
        const listening = vscode.debug.onDidStartDebugSession((session) => {
          if (session.name !== name || session.parentSession) return;
          listening.dispose();
          resolve(session.id);
        });
      });
      const folder = vscode.workspace.workspaceFolders?.[0];
      const accepted = await vscode.debug.startDebugging(folder, { request: 'launch', type: 'debugpy', ...configuration, name }, { noDebug });
      if (!accepted) throw new Error('VS Code did not start the session');
      return started;
    },

    /** Ends one session, or all, and returns when VS Code has let go of them. */
    stopDebugging: async ({ sessionId }) => {
      const ending = [...sessions.values()].filter((session) => !sessionId || session.id === sessionId);
      const ended = Promise.all(
        ending.map((session) => log.wait({ where: { sessionId: session.id, event: 'sessionEnded' }, timeoutMs: 15_000 })),
      );
      await Promise.all(ending.filter((session) => !session.parentSession || sessionId).map((session) => vscode.debug.stopDebugging(session)));
      await ended;
    },

    /** Replaces all breakpoints by these: `{file, line (from 1), condition, hitCondition, logMessage}`. */
    setBreakpoints: ({ breakpoints }) => {
      vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
      vscode.debug.addBreakpoints(
        breakpoints.map(({ file, line, condition, hitCondition, logMessage }) => {
          const at = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, 0));
          return new vscode.SourceBreakpoint(at, true, condition, hitCondition, logMessage);
        }),
      );
    },

    /** Presses a button of the debug toolbar: over, into, out, continue, pause; for one thread where named. */
    step: ({ kind, sessionId, threadId }) => {
      const thread = sessionId && threadId !== undefined ? [{ sessionId, threadId: `thread:${sessionId}:${threadId}` }] : [];
      return vscode.commands.executeCommand(STEPS[kind], ...thread).then(() => null);
    },

    waitForDap: (query) => log.wait(query),
    dapLog: (query) => log.select(query),
    dapSeq: () => log.entries.length,

    sessions: () => [...sessions.values()].map(({ id, name, type, parentSession }) => ({ id, name, type, parent: parentSession?.id ?? null })),

    /** Sends one request to an adapter, past VS Code's own model of the session. */
    customRequest: ({ sessionId, command, args }) => sessions.get(sessionId).customRequest(command, args),

    /** Runs any command; `{"$file": path}` among the arguments becomes that file's URI. */
    executeCommand: async ({ command, args }) => plain(await vscode.commands.executeCommand(command, ...(args ?? []).map(withUris))),
    commands: () => vscode.commands.getCommands(true),

    /** Opens a file in the editor, with a selection from 1: `[line, column, endLine, endColumn]`. */
    openFile: async ({ file, selection }) => {
      const range = selection && new vscode.Range(...selection.map((number) => number - 1));
      await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: range, preview: false });
    },

    setting: ({ key, value }) => vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global),
    getSetting: ({ key }) => vscode.workspace.getConfiguration().get(key),
    readClipboard: () => vscode.env.clipboard.readText(),
    writeClipboard: ({ text }) => vscode.env.clipboard.writeText(text),

    /** What an extension can see of the window. */
    window: () => {
      const editor = vscode.window.activeTextEditor;
      const item = vscode.debug.activeStackItem;
      return {
        version: vscode.version,
        language: vscode.env.language,
        colorTheme: vscode.ColorThemeKind[vscode.window.activeColorTheme.kind],
        isTrusted: vscode.workspace.isTrusted,
        activeFile: editor?.document.uri.fsPath ?? null,
        activeLine: editor ? editor.selection.active.line + 1 : null,
        selectedText: editor ? editor.document.getText(editor.selection) : null,
        openFiles: vscode.window.visibleTextEditors.map(({ document }) => document.uri.fsPath),
        activeSession: vscode.debug.activeDebugSession?.id ?? null,
        activeStackItem: item
          ? { sessionId: item.session.id, threadId: item.threadId, frameId: item instanceof vscode.DebugStackFrame ? item.frameId : null }
          : null,
        extensions: vscode.extensions.all
          .filter(({ packageJSON }) => !packageJSON.isBuiltin)
          .map(({ id, isActive, packageJSON }) => ({ id, isActive, displayName: packageJSON.displayName })),
      };
    },
  };
}

function withUris(value) {
  return value && typeof value === 'object' && '$file' in value ? vscode.Uri.file(value.$file) : value;
}

/** What of a command's result JSON can carry; the rest is null. */
function plain(value) {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    return null;
  }
}

module.exports = { methods };
