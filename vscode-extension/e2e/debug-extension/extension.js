/**
 * A Python debugger for VS Code with debugpy's own adapter, and a way in for the tests: they call the
 * `methods` below as JSON over a Unix socket.
 */
'use strict';
const vscode = require('vscode');
const { DapLog } = require('./dap-log');
const { methods } = require('./methods');
const { serve } = require('./rpc');

const TYPES = ['debugpy', 'python'];

/** Registers the debugger and, where the tests named a socket, listens there. */
function activate(context) {
  const log = new DapLog();
  for (const type of TYPES) {
    context.subscriptions.push(
      vscode.debug.registerDebugAdapterDescriptorFactory(type, { createDebugAdapterDescriptor: adapterFor }),
      vscode.debug.registerDebugConfigurationProvider(type, { resolveDebugConfiguration: withDefaults }),
    );
  }
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterTrackerFactory('*', log),
    vscode.debug.onDidTerminateDebugSession((session) => log.ended(session)),
    vscode.debug.onDidReceiveDebugSessionCustomEvent(startChild),
  );
  const socket = process.env.GRADPEEK_E2E_SOCKET;
  if (socket) context.subscriptions.push(serve(socket, methods(log)));
}

/** The adapter of a session: an executable for `launch`, the debuggee's own server for `attach` by `connect`. */
function adapterFor(session) {
  const { connect, python } = session.configuration;
  if (connect) return new vscode.DebugAdapterServer(connect.port, connect.host ?? '127.0.0.1');
  return new vscode.DebugAdapterExecutable(python[0], ['-m', 'debugpy.adapter']);
}

/** What ms-python.debugpy would fill in; debugpy's adapter does not guess it. */
function withDefaults(folder, configuration) {
  if (configuration.request !== 'launch') return configuration;
  const python = configuration.python ?? process.env.GRADPEEK_E2E_PYTHON ?? 'python3';
  return {
    console: 'internalConsole',
    cwd: folder?.uri.fsPath,
    ...configuration,
    python: Array.isArray(python) ? python : [python],
  };
}

/** Debugs a child process that debugpy announces, as a session below its parent's. */
function startChild({ event, body, session }) {
  if (event !== 'debugpyAttach') return;
  void vscode.debug.startDebugging(session.workspaceFolder, body, {
    parentSession: session,
    lifecycleManagedByParent: true,
  });
}

module.exports = { activate };
